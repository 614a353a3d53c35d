import { styled } from '@mui/material/styles';

/** A button with an icon in a row of a long table. */
export const RowButton = styled('button')({
  display: 'inline-grid',
  placeContent: 'center',
  width: '2rem',
  height: '2rem',
  padding: 0,
  border: 0,
  borderRadius: '50%',
  background: 'none',
  color: 'var(--palette-text-secondary)',
  fontSize: '1rem',
  cursor: 'pointer',
  '&:is(:hover, [aria-expanded="true"])': { color: 'var(--palette-accent)' },
});
