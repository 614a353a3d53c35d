import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';

export const FileLabel = styled(Button)({
  flexWrap: 'wrap',
  maxWidth: '100%',
  padding: '10px 20px',
  cursor: 'pointer',
  '&:has(:focus-visible)': { outline: '3px solid var(--palette-focus)', outlineOffset: 2 },
  // The whole label is the button; the rest of the input shows what was chosen.
  '& input': { maxWidth: '100%', color: 'inherit', font: '400 1rem/1.5 var(--sans)', cursor: 'inherit' },
  '& input:focus-visible': { outline: 'none' },
  '& ::file-selector-button': { display: 'none' },
}) as typeof Button;
