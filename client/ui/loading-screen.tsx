import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

const Root = styled(Paper)({
  position: 'fixed',
  zIndex: 9999,
  inset: 0,
  display: 'grid',
  placeItems: 'center',
  border: 0,
  background: 'var(--palette-background-default)',
  color: 'var(--palette-heading)',
  font: '600 1.375rem/1.5 var(--sans)',
});

/** Covers everything while the first screen is on its way. */
export function LoadingScreen() {
  return (
    <Root className="loading-screen" role="status">
      <p>
        Loading
        <span className="loading-dots" aria-hidden="true">
          <span>.</span>
          <span>.</span>
          <span>.</span>
        </span>
      </p>
    </Root>
  );
}
