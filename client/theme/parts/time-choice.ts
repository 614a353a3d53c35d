import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';

export const TimeButton = styled(ButtonBase)({
  display: 'grid',
  alignContent: 'center',
  width: '100%',
  minHeight: '3rem',
  padding: '0.5rem 0.25rem',
  border: '1px solid var(--palette-fieldLine)',
  borderRadius: 5,
  background: 'var(--palette-background-paper)',
  color: 'var(--palette-heading)',
  font: '400 1.0625rem/1.25 var(--sans)',
  fontVariantNumeric: 'tabular-nums',
  '& strong': { fontWeight: 600 },
  '& small': { color: 'var(--palette-text-secondary)', fontSize: '0.875rem' },
  '&:hover': {
    borderColor: 'var(--palette-accent)',
    boxShadow: 'inset 0 0 0 1px var(--palette-accent)',
  },
}) as typeof ButtonBase;
