import FormLabel from '@mui/material/FormLabel';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

/** One unit of the page: a letter, a preview, codes to keep. */
export const Panel = styled(Paper)({
  minWidth: 0,
  padding: '1rem 1.25rem 1.25rem',
  overflowWrap: 'anywhere',
}) as typeof Paper;

export const PanelLegend = styled(FormLabel)({
  // Floated, a legend is inside the frame and not on its border.
  float: 'left',
  minWidth: 0,
  fontSize: '1.125rem',
}) as typeof FormLabel;

export const LetterPanel = styled(Panel)({ maxWidth: '44rem' }) as typeof Panel;
