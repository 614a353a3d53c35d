import FormLabel from '@mui/material/FormLabel';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const BulkPaper = styled(Paper)({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0.5rem',
  minWidth: 0,
  margin: '0.5rem 0 0',
  padding: '0.5rem 0.75rem',
  background: 'var(--palette-menu)',
  // Visible while something is chosen.
  '&.chosen': {
    position: 'sticky',
    zIndex: 5,
    insetBlockEnd: 0,
    margin: 0,
    boxShadow: '0 -4px 16px rgb(13 13 13 / 14%)',
  },
}) as typeof Paper;

export const BulkLegend = styled(FormLabel)({
  // Floated, a legend is inside the frame and not on its border.
  float: 'left',
  marginInlineEnd: '0.5rem',
  font: '600 0.875rem/1.25 var(--sans)',
}) as typeof FormLabel;
