import { styled } from '@mui/material/styles';
import { DisclosureRoot } from './disclosure';

/** Looks like a button, for the disclosure that most users need. */
export const LoudRoot = styled(DisclosureRoot)({
  '& > summary': {
    marginBlockEnd: '0.5rem',
    padding: '15px 30px',
    borderRadius: 2,
    background: 'var(--palette-primary-main)',
    color: 'var(--palette-primary-contrastText)',
    lineHeight: 1.25,
    '&:hover': {
      background: 'var(--palette-primary-dark)',
      color: 'var(--palette-buttonHoverText)',
      textDecoration: 'none',
    },
    '@media (forced-colors: active)': { border: '1px solid' },
  },
});
