import Alert from '@mui/material/Alert';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const ServiceAlert = styled(Alert)({
  gap: '1rem',
  marginBlock: '1.5rem 1rem',
  padding: '1.25rem 1.5rem',
  borderWidth: 0,
  borderInlineStartWidth: 4,
  font: 'inherit',
  '& .MuiAlert-icon': { fontSize: '1.4rem' },
});

/** The main action, always within reach on a phone. */
export const ApplyBar = styled(Paper)({
  display: 'none',
  '@media (max-width: 47.99rem)': {
    position: 'fixed',
    zIndex: 4,
    inset: 'auto 0 0',
    display: 'grid',
    padding: '0.625rem var(--margin) max(0.625rem, env(safe-area-inset-bottom))',
    border: 0,
    borderBlockStart: '1px solid var(--palette-divider)',
    background: 'var(--palette-background-default)',
    '& .MuiButton-root': { width: '100%' },
  },
  '@media print': { display: 'none' },
});
