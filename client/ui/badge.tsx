import Chip from '@mui/material/Chip';
import type { ReactNode } from 'react';

/** A word or a number that should stand out. */
export function Badge({ children }: { children: ReactNode }) {
  return <Chip className="badge" component="span" size="small" variant="badge" label={children} />;
}
