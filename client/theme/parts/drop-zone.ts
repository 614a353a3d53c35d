import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const DropZone = styled(Paper)({
  display: 'grid',
  // Without JavaScript the native file input is wide and does not shrink.
  gridTemplateColumns: 'minmax(0, 1fr)',
  justifyItems: 'center',
  gap: '0.5rem',
  padding: '1.5rem 1.25rem',
  border: '2px dashed var(--palette-fieldLine)',
  borderRadius: 5,
  textAlign: 'center',
  '&.document-send-over': {
    border: '2px solid var(--palette-accent)',
    outline: '2px solid var(--palette-accent)',
  },
}) as typeof Paper;
