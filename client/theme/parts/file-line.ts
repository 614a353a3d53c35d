import { styled } from '@mui/material/styles';
import { Line } from './lines';

/** A file: icon, details and actions. */
export const FileLine = styled(Line)({
  display: 'grid',
  gridTemplateColumns: '1.5rem minmax(0, 1fr) auto',
  alignItems: 'start',
  gap: '0 0.75rem',
  '& > svg': {
    width: '1.5rem',
    height: '1.5rem',
    marginBlockStart: '0.625rem',
    color: 'var(--palette-accent)',
  },
  '@media (max-width: 40rem)': {
    gridTemplateColumns: '1.5rem minmax(0, 1fr)',
    '& > :last-child:not(.document-file)': { gridColumn: 2 },
  },
});
