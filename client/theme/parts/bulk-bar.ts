import FormLabel from '@mui/material/FormLabel';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const BulkPaper = styled(Paper)({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: '0.75rem 2rem',
  minWidth: 0,
  margin: '1rem 0 0',
  padding: '0.75rem 1rem 1rem',
  // In sight as long as something is chosen, where there is room for it beside the rows.
  '@media (min-width: 64rem) and (min-height: 40rem)': {
    '&.chosen': { position: 'sticky', insetBlockEnd: 0, zIndex: 2 },
  },
}) as typeof Paper;

export const BulkLegend = styled(FormLabel)({
  // Floating, it stands in the frame and not on its line.
  float: 'left',
  flex: '1 0 100%',
}) as typeof FormLabel;
