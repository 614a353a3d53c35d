import Menu from '@mui/material/Menu';
import { styled } from '@mui/material/styles';

/** The signed-in user and their pages: the scripted counterpart of `ViewerPanel`. */
export const AccountMenuRoot = styled(Menu)({
  zIndex: 10,
  '& .MuiMenu-paper': {
    minWidth: 'min(16rem, 100vw - 2rem)',
    maxWidth: 'min(22rem, 100vw - 2rem)',
    background: 'var(--palette-menu)',
    color: 'var(--palette-text-primary)',
    boxShadow: '0 8px 24px rgb(13 13 13 / 18%)',
  },
  '& .MuiMenuItem-root': {
    minHeight: '2.75rem',
    paddingInline: '1.25rem',
    font: '600 1rem/1.5 var(--menu-font)',
    transition: 'none',
    '&:hover, &.Mui-focusVisible': {
      backgroundColor: 'color-mix(in srgb, var(--palette-divider) 25%, transparent)',
    },
    '&:focus-visible': { outlineOffset: -3 },
    '&[aria-current]': { boxShadow: 'inset 3px 0 var(--palette-error-main)' },
  },
  // The logout button, below a rule.
  '& button.MuiMenuItem-root': {
    width: '100%',
    marginBlockStart: '0.5rem',
    borderBlockStart: '1px solid var(--palette-divider)',
    color: 'var(--palette-accent)',
  },
  '& .who': { maxWidth: 'none', padding: '0.5rem 1.25rem 0.75rem' },
});
