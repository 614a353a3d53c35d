import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const Moment = styled(Paper)({
  display: 'grid',
  maxWidth: 'none',
  padding: '1.25rem 1.5rem',
  border: 0,
  borderInlineStart: '4px solid var(--palette-accent)',
  color: 'var(--palette-text-secondary)',
  font: '400 1rem/1.5 var(--sans)',
  '& strong': {
    color: 'var(--palette-heading)',
    font: '600 clamp(1.375rem, 1.2rem + 0.9vw, 1.75rem) / 1.25 var(--sans)',
    fontVariantNumeric: 'tabular-nums',
    letterSpacing: '-0.015em',
  },
  '& span:first-of-type': { marginBlockStart: '0.5rem' },
}) as typeof Paper;
