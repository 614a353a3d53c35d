import { styled } from '@mui/material/styles';

// Material UI's Accordion hides its content until a script runs; the native element does not.
export const AccordionRoot = styled('details')({
  borderBlockEnd: '1px solid var(--palette-divider)',
  '& > summary > svg': { color: 'var(--palette-accent)', transition: 'transform 120ms' },
  '&[open] > summary > svg': { transform: 'rotate(180deg)' },
});

export const AccordionSummary = styled('summary')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '1rem',
  minHeight: '2.75rem',
  paddingBlock: '1rem',
  color: 'var(--palette-heading)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '&:hover :is(h3, strong)': { textDecoration: 'underline 1px', textUnderlineOffset: '0.18em' },
});
