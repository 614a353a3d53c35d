import FormLabel from '@mui/material/FormLabel';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

/** What is one thing on the page: a letter, a preview, codes to keep. */
export const Panel = styled(Paper)({
  minWidth: 0,
  padding: '1rem 1.25rem 1.25rem',
  overflowWrap: 'anywhere',
}) as typeof Paper;

export const PanelLegend = styled(FormLabel)({
  // Floating, it stands in the frame and not on its line.
  float: 'left',
  minWidth: 0,
  fontSize: '1.125rem',
}) as typeof FormLabel;

export const LetterPanel = styled(Panel)({ maxWidth: '44rem' }) as typeof Panel;
