import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';

export const LoadingLine = styled(Skeleton)({
  width: '100%',
  height: '1.25rem',
  marginBlockStart: '1rem',
  '&:first-of-type': { width: '60%', height: '2.5rem' },
  '&:last-of-type': { width: '80%' },
  '@media (prefers-reduced-motion: reduce)': { animation: 'none' },
});
