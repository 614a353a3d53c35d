import { styled } from '@mui/material/styles';

// Material UI's Accordion hides its content until a script runs; the native element does not.
export const DisclosureRoot = styled('details')({
  '& > summary > svg': { transition: 'transform 120ms' },
  '&[open] > summary > svg': { transform: 'rotate(180deg)' },
});

export const DisclosureSummary = styled('summary')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '0.75rem',
  width: 'fit-content',
  minHeight: '2.75rem',
  paddingBlock: '0.5rem',
  color: 'var(--palette-accent)',
  font: '600 1rem/1.5 var(--sans)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '&:hover': { textDecoration: 'underline', textUnderlineOffset: '0.18em' },
});
