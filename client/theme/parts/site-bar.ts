import MuiButton from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';

export const Brand = styled(ButtonBase)({
  gap: '0.75rem',
  minHeight: '3rem',
  marginInlineEnd: 'auto',
  color: 'var(--palette-heading)',
  font: '600 1.125rem/1.2 var(--sans)',
  letterSpacing: '-0.01em',
  '& .emblem': {
    flex: 'none',
    width: '2.75rem',
    height: '2.75rem',
    color: 'var(--palette-secondary-main)',
  },
  '@media (max-width: 40rem)': {
    flex: 1,
    justifyContent: 'flex-start',
    gap: '0.5rem',
    fontSize: '1rem',
  },
}) as typeof ButtonBase;

export const Skip = styled(MuiButton)({
  position: 'absolute',
  zIndex: 10,
  insetBlockStart: '-6rem',
  insetInlineStart: '1rem',
  padding: '0.75rem 1.25rem',
  '&:focus': { insetBlockStart: '0.5rem' },
}) as typeof MuiButton;

/** A link in the bar; the current one is underlined. */
export const BarLink = styled(ButtonBase)({
  gap: '0.5rem',
  minHeight: '2.75rem',
  borderBlock: '2px solid transparent',
  color: 'var(--palette-heading)',
  font: '600 1rem/1.5 var(--menu-font)',
  '&:hover, &[aria-current]': { borderBlockEndColor: 'var(--palette-error-main)' },
  '@media (forced-colors: active)': { '&[aria-current]': { borderBlockEndColor: 'Highlight' } },
}) as typeof ButtonBase;
