import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

export const DropZone = styled(Paper)({
  padding: '1.25rem',
  border: '1px dashed var(--palette-fieldLine)',
  borderRadius: 5,
  '&.document-send-over': {
    border: '1px solid var(--palette-accent)',
    outline: '2px solid var(--palette-accent)',
  },
}) as typeof Paper;
