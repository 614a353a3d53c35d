import MuiButton from '@mui/material/Button';
import { styled } from '@mui/material/styles';

const WIDE = '@media (min-width: 60rem)';

// Material UI's Drawer renders nothing on the server; a popover needs no JavaScript.
export const SideNav = styled('nav')({
  inset: '0 auto 0 0',
  width: '16.5rem',
  maxWidth: '85vw',
  height: 'auto',
  maxHeight: 'none',
  margin: 0,
  padding: '1rem 0',
  overflowY: 'auto',
  border: 0,
  borderInlineEnd: '1px solid var(--palette-divider)',
  background: 'var(--palette-menu)',
  color: 'var(--palette-text-primary)',
  font: '600 1rem/1.5 var(--menu-font)',
  '&::backdrop': { background: 'var(--palette-shade)' },
  '& > :not(ul)': { marginInline: 'var(--margin)' },
  '& .MuiListItemButton-root': {
    minHeight: '3rem',
    // The bar of the open page is in the margin.
    paddingInline: 'calc(var(--margin) - 3px) var(--margin)',
    borderInlineStart: '3px solid transparent',
    '&[aria-current]': {
      borderInlineStartColor: 'var(--palette-error-main)',
      background: 'color-mix(in srgb, var(--palette-divider) 18%, transparent)',
      color: 'var(--palette-heading)',
    },
    '&:focus-visible': { outlineOffset: -3 },
  },
  '& .badge': { marginInlineStart: 'auto' },
  '& form': {
    marginBlockStart: '1rem',
    paddingBlockStart: '0.5rem',
    borderBlockStart: '1px solid var(--palette-divider)',
  },
  [WIDE]: { display: 'block', position: 'static', paddingBlock: '2rem' },
  '@media (forced-colors: active)': { '& [aria-current]': { border: '3px solid Highlight' } },
});

export const SideBar = styled('div')({
  paddingInline: 'var(--margin)',
  borderBlockEnd: '1px solid var(--palette-divider)',
  [WIDE]: { display: 'none' },
});

export const SideToggle = styled(MuiButton)({
  gap: '0.75rem',
  minHeight: '3rem',
  padding: 0,
  color: 'var(--palette-heading)',
  font: '600 1rem/1.5 var(--menu-font)',
  textDecoration: 'none',
  [WIDE]: { display: 'none' },
}) as typeof MuiButton;
