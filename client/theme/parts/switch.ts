import { styled } from '@mui/material/styles';

export const SwitchForm = styled('form')({
  '& legend': { marginBlockEnd: '0.5rem' },
  '@media print': { display: 'none' },
});

/**
 * Not MUI's ToggleButtonGroup, which moves the focus among its buttons: each of these submits, and all must be
 * reachable.
 */
export const SwitchGroup = styled('div')({
  display: 'inline-flex',
  flexWrap: 'wrap',
  '& > :not(:first-of-type)': { marginLeft: -1, borderTopLeftRadius: 0, borderBottomLeftRadius: 0 },
  '& > :not(:last-of-type)': { borderTopRightRadius: 0, borderBottomRightRadius: 0 },
  '& > :not(:first-of-type):not(.Mui-selected)': { borderLeftColor: 'transparent' },
});
