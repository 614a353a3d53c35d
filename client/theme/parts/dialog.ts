import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';

// Material UI's Dialog renders nothing on the server; the native element has the same features, even without a script.
export const DialogRoot = styled('dialog')({
  position: 'fixed',
  zIndex: 20,
  inset: 0,
  width: 'calc(100% - 2rem)',
  maxWidth: 500,
  height: 'fit-content',
  maxHeight: 'calc(100dvh - 2rem)',
  margin: 'auto',
  padding: 0,
  overflow: 'auto',
  overscrollBehavior: 'contain',
  border: 0,
  borderRadius: 2,
  background: 'var(--palette-background-default)',
  color: 'var(--palette-text-primary)',
  // If not modal (no JavaScript), its shadow is the backdrop.
  '&:not(:modal)': { boxShadow: '0 0 0 100vmax var(--palette-shade)' },
  '&::backdrop': { background: 'var(--palette-shade)' },
  '@media print': { display: 'none' },
});

export const DialogBody = styled('div')({
  position: 'relative',
  padding: '2rem clamp(1.25rem, 5vw, 2.5rem)',
  borderBlockStart: '6px solid var(--palette-loud)',
});

export const DialogTitle = styled('h2')({
  marginBlockEnd: '1.5rem',
  paddingInlineEnd: '2.5rem',
  fontSize: '1.5rem',
});

export const DialogClose = styled(IconButton)({
  position: 'absolute',
  insetBlockStart: '1.375rem',
  insetInlineEnd: '1rem',
  fontSize: '1.125rem',
}) as typeof IconButton;
