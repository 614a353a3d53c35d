import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';

/** What is printed, signed and kept: a sheet of white paper in both themes; in print only its content. */
export const Sheet = styled(Paper)({
  maxWidth: '44rem',
  padding: 'clamp(1.25rem, 5vw, 3.5rem)',
  background: '#fff',
  colorScheme: 'light',
  '@media print': { maxWidth: 'none', padding: 0, border: 0 },
}) as typeof Paper;
