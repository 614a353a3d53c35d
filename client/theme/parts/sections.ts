import { styled } from '@mui/material/styles';
import { Line } from './lines';

export const SectionLine = styled(Line)({
  flexWrap: 'nowrap',
  gap: '0 1rem',
  padding: 0,
  '&:has([aria-current])': {
    paddingInlineStart: '0.875rem',
    boxShadow: 'inset 4px 0 0 var(--palette-accent)',
  },
  '@media (forced-colors: active)': {
    '&:has([aria-current])': { borderInlineStart: '4px solid Highlight' },
  },
});

/** Collapses the list if there is no room for it at the side. */
export const SectionsMenu = styled('details')({ '&[open] > summary > svg': { rotate: '180deg' } });

export const SectionsSummary = styled('summary')({
  display: 'flex',
  alignItems: 'baseline',
  gap: '0 1rem',
  paddingBlock: '0.625rem',
  borderBlock: '1px solid var(--palette-divider)',
  color: 'var(--palette-heading)',
  font: '600 1rem/1.5 var(--sans)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '& > svg': { alignSelf: 'center' },
  '& > span:first-of-type': { marginInlineEnd: 'auto' },
});
