import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

// Material UI's Menu needs a script to open; the native disclosure does not.
export const ToolDetails = styled('details')({
  flex: 'none',
  '@media print': { display: 'none' },
  // Without room beside it, a panel is as wide as the toolbar.
  '@media (min-width: 40.01rem)': { position: 'relative' },
});

export const ToolSummary = styled('summary')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: '0.375rem',
  minHeight: '2rem',
  paddingInline: '0.625rem',
  border: '1px solid var(--palette-divider)',
  borderRadius: 2,
  color: 'var(--palette-heading)',
  font: '600 0.875rem/1.25 var(--sans)',
  whiteSpace: 'nowrap',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '&:hover, details[open] > &': { borderColor: 'var(--palette-heading)' },
  '& > span': { maxWidth: '12rem', overflow: 'hidden', textOverflow: 'ellipsis' },
});

export const ToolPanel = styled(Paper)({
  position: 'absolute',
  zIndex: 6,
  marginBlock: '0.25rem',
  padding: '0.75rem 1rem',
  background: 'var(--palette-menu)',
  boxShadow: '0 8px 24px rgb(13 13 13 / 18%)',
  overflowY: 'auto',
  maxHeight: 'min(36rem, 100vh - 10rem)',
  '@media (max-width: 40rem)': { insetInline: 0 },
  '@media (min-width: 40.01rem)': {
    insetInlineStart: 0,
    width: 'max-content',
    minWidth: '14rem',
    maxWidth: 'min(34rem, 100vw - 2rem)',
    '&.end': { insetInline: 'auto 0' },
  },
  '&.up': { insetBlockEnd: '100%' },
  '&.free': { position: 'fixed', '@media (min-width: 40.01rem)': { inset: 'auto' } },
});
