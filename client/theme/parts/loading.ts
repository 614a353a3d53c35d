import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const LoadingCover = styled(Paper)({
  position: 'fixed',
  zIndex: 9999,
  inset: 0,
  display: 'grid',
  placeItems: 'center',
  border: 0,
  background: 'var(--palette-background-default)',
  color: 'var(--palette-heading)',
  font: '600 1.375rem/1.5 var(--sans)',
  alignContent: 'center',
  '& > .loading-lines': { width: 'min(40rem, 100vw - 2 * var(--margin))' },
});
