import { styled } from '@mui/material/styles';

/**
 * The checkbox that selects a row of a long table: one native element. Material UI's Checkbox would be five, and a page
 * of fifty rows would wait for them.
 */
export const RowBox = styled('input')({
  appearance: 'none',
  display: 'grid',
  position: 'relative',
  placeContent: 'center',
  flex: 'none',
  boxSizing: 'border-box',
  width: '1.125rem',
  height: '1.125rem',
  margin: 0,
  border: '2px solid var(--palette-fieldLine)',
  borderRadius: 3,
  background: 'var(--palette-field)',
  color: 'var(--palette-background-paper)',
  cursor: 'inherit',
  '&::before': {
    width: '0.6875rem',
    height: '0.6875rem',
    background: 'currentcolor',
    clipPath: 'polygon(14% 44%, 0 60%, 40% 98%, 100% 20%, 85% 6%, 39% 68%)',
    content: '""',
    opacity: 0,
  },
  // A target large enough for a finger or a hurried pointer.
  '&::after': { position: 'absolute', inset: '-0.5625rem', content: '""' },
  '&:is(:checked, :indeterminate)': {
    borderColor: 'var(--palette-accent)',
    background: 'var(--palette-accent)',
  },
  '&:is(:checked, :indeterminate)::before': { opacity: 1 },
  '&:indeterminate::before': { clipPath: 'inset(38% 0)' },
  '@media (forced-colors: active)': { appearance: 'auto' },
});
