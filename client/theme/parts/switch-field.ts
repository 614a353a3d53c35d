import FormControlLabel from '@mui/material/FormControlLabel';
import MuiSwitch from '@mui/material/Switch';
import { styled } from '@mui/material/styles';

/** Drawn by the input's own state, before any script runs. */
export const Toggle = styled(MuiSwitch)({
  width: '2.75rem',
  height: '1.5rem',
  padding: 0,
  overflow: 'visible',
  '& .MuiSwitch-switchBase': {
    padding: '0.1875rem',
    color: 'var(--palette-fieldLine)',
    transition: 'transform 120ms',
    '&, &.Mui-checked': { transform: 'none' },
    '&:has(:checked)': { color: 'var(--palette-background-paper)', transform: 'translateX(1.25rem)' },
    '&:has(:disabled)': { opacity: 0.6 },
  },
  '& .MuiSwitch-thumb': { width: '1.125rem', height: '1.125rem', boxShadow: 'none' },
  '&& .MuiSwitch-track, && .Mui-checked + .MuiSwitch-track': {
    boxSizing: 'border-box',
    border: '2px solid var(--palette-fieldLine)',
    borderRadius: '0.75rem',
    background: 'var(--palette-field)',
    opacity: 1,
  },
  '&& :has(:checked) + .MuiSwitch-track': {
    borderColor: 'var(--palette-accent)',
    background: 'var(--palette-accent)',
  },
  '@media (forced-colors: active)': {
    '& .MuiSwitch-thumb': { background: 'ButtonText' },
    '&& :has(:checked) + .MuiSwitch-track': { background: 'Highlight', forcedColorAdjust: 'none' },
  },
});

/** The switch and its label, all of it clickable. */
export const ToggleLabel = styled(FormControlLabel)({
  minHeight: '2.75rem',
  padding: '0.625rem 0',
  border: 0,
  background: 'none',
  '&:has(:checked)': { boxShadow: 'none' },
});
