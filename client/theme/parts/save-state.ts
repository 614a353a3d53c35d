import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const SaveSurface = styled(Paper)({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 1rem',
  maxWidth: '100%',
  padding: '0.375rem 0.875rem',
  borderRadius: 2,
  color: 'var(--palette-heading)',
  font: '600 0.875rem/1.5 var(--sans)',
  fontVariantNumeric: 'tabular-nums',
  '& p': { display: 'flex', gap: '0.5rem' },
  '& small': { display: 'block', fontSize: 'inherit', fontWeight: 400 },
  '& p svg': { width: '1.125rem', height: '1.3125rem' },
  '&.save-state-problem': {
    borderColor: 'var(--palette-error-main)',
    boxShadow: 'inset 4px 0 0 var(--palette-error-main)',
    '& p svg': { color: 'var(--palette-accent)' },
  },
  '@media print': { display: 'none' },
});
