import Stepper from '@mui/material/Stepper';
import { styled } from '@mui/material/styles';
import { Line } from './lines';

export const PastLine = styled(Line)({ gap: '0 1.5rem', paddingBlock: '0.5rem' });

/** A line from icon to icon: vertical on narrow screens, horizontal on wide ones. */
export const Way = styled(Stepper)({
  '& .MuiStep-root': {
    position: 'relative',
    paddingBlockEnd: '1.5rem',
    '&:not(:last-child)::before': {
      position: 'absolute',
      inset: '1.75rem auto 0.25rem calc(0.75rem - 1px)',
      borderInlineStart: '2px solid var(--palette-divider)',
      content: '""',
    },
    '&.Mui-completed:not(:last-child)::before': { borderColor: 'var(--palette-accent)' },
  },
  '& .MuiStepLabel-root': { alignItems: 'flex-start', gap: '1rem', padding: 0 },
  '& .MuiStepLabel-iconContainer': {
    padding: 0,
    color: 'var(--palette-fieldLine)',
    '&.Mui-active, &.Mui-completed': { color: 'var(--palette-accent)' },
    '& svg': { width: '1.5rem', height: '1.5rem' },
  },
  '& .MuiStepLabel-labelContainer': { font: '400 1rem/1.5 var(--sans)' },
  '& .MuiStepLabel-label': {
    color: 'var(--palette-heading)',
    font: 'inherit',
    fontWeight: 600,
    '&.Mui-active, &.Mui-completed': { color: 'var(--palette-heading)', fontWeight: 600 },
  },
  '& small': { display: 'block', fontSize: '0.875rem' },
  '@media (min-width: 75rem)': {
    flexDirection: 'row',
    '& .MuiStep-root': {
      flex: 1,
      padding: '0 1rem 0 0',
      '&:not(:last-child)::before': {
        inset: 'calc(0.75rem - 1px) 0.5rem auto 2rem',
        border: 0,
        borderBlockStart: '2px solid var(--palette-divider)',
      },
      // No line follows, so it is only as wide as its text.
      '&:last-child': { flex: 'none', padding: 0 },
    },
    '& .MuiStepLabel-root': { flexDirection: 'column', gap: '0.75rem' },
  },
}) as typeof Stepper;
