import { styled } from '@mui/material/styles';

/**
 * A progress bar. Material UI's LinearProgress uses a style attribute, which our policy forbids; this is the native
 * element with the same look.
 */
export const Progress = styled('progress')({
  display: 'block',
  appearance: 'none',
  width: '100%',
  height: 6,
  border: 0,
  borderRadius: 3,
  overflow: 'hidden',
  background: 'color-mix(in srgb, var(--palette-divider) 45%, transparent)',
  '&::-webkit-progress-bar': { background: 'none' },
  '&::-webkit-progress-value': { background: 'var(--palette-accent)', borderRadius: 3 },
  '&::-moz-progress-bar': { background: 'var(--palette-accent)', borderRadius: 3 },
  '@media (forced-colors: active)': {
    border: '1px solid CanvasText',
    '&::-webkit-progress-value': { background: 'Highlight', forcedColorAdjust: 'none' },
  },
});
