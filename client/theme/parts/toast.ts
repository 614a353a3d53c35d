import Snackbar from '@mui/material/Snackbar';
import { styled } from '@mui/material/styles';

export const ToastRoot = styled(Snackbar)({
  zIndex: 10,
  '& .MuiSnackbarContent-root': {
    flexWrap: 'nowrap',
    gap: '0.5rem 1rem',
    maxWidth: '32rem',
    padding: '0.25rem 0.5rem 0.25rem 1.25rem',
    border: 0,
    borderRadius: 2,
    background: 'var(--palette-band)',
    // Dark in both themes, including everything that depends on the colour scheme.
    colorScheme: 'dark',
    color: '#fff',
    font: '400 1rem/1.5 var(--sans)',
    boxShadow: '0 8px 24px rgb(13 13 13 / 18%)',
    '--palette-focus': '#fff',
    '@media (forced-colors: active)': { border: '1px solid' },
  },
  '& .MuiSnackbarContent-message': { overflowWrap: 'anywhere' },
  '& .MuiSnackbarContent-action': { gap: '0.5rem', margin: '0 0 0 auto', padding: 0 },
  '& :is(.MuiButton-root, .MuiIconButton-root)': { flex: 'none', color: 'inherit' },
  // Without JavaScript it cannot be dismissed, so it is part of the page.
  '@media (scripting: none)': { position: 'static', justifyContent: 'flex-start', transform: 'none' },
  '@media print': { display: 'none' },
});
