import Chip from '@mui/material/Chip';
import type { ReactNode } from 'react';

/** A word that staff have put on something. */
export function Label({ children }: { children: ReactNode }) {
  return <Chip component="span" size="small" variant="outlined" label={children} />;
}
