import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

// Material UI's Menu needs a script to open; the native disclosure does not.
export const ViewerDetails = styled('details')({
  position: 'relative',
  // An address may be wider than the bar on a phone.
  minWidth: 0,
  font: '600 1rem/1.5 var(--menu-font)',
  '&[open] > summary > svg': { transform: 'rotate(180deg)' },
});

export const ViewerSummary = styled('summary')({
  display: 'flex',
  alignItems: 'center',
  gap: '0.5rem',
  minHeight: '2.75rem',
  color: 'var(--palette-heading)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '& > svg': { flex: 'none', transition: 'transform 120ms' },
  // The menu beside the page already shows it.
  '@media (min-width: 60rem)': { '.site-dashboard & .badge': { display: 'none' } },
});

export const ViewerPanel = styled(Paper)({
  position: 'absolute',
  zIndex: 5,
  insetBlockStart: '100%',
  insetInlineEnd: 0,
  width: 'max-content',
  minWidth: 'min(16rem, 100vw - 2rem)',
  maxWidth: 'min(22rem, 100vw - 2rem)',
  padding: '1rem 1.25rem 0.5rem',
  background: 'var(--palette-menu)',
  boxShadow: '0 8px 24px rgb(13 13 13 / 18%)',
  '& > p': {
    paddingBlockEnd: '0.75rem',
    borderBlockEnd: '1px solid var(--palette-divider)',
    lineHeight: 1.4,
  },
  '& > ul': { marginInline: '-1.25rem' },
  '& .MuiListItemButton-root': { paddingInline: '1.25rem' },
  '& .MuiListItemButton-root:focus-visible': { outlineOffset: -3 },
  '& [aria-current]': { boxShadow: 'inset 3px 0 var(--palette-error-main)' },
});
