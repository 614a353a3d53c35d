import Chip from '@mui/material/Chip';
import type { ReactNode } from 'react';

/** A tag added by staff. */
export function Label({ children }: { children: ReactNode }) {
  return <Chip component="span" size="small" variant="outlined" label={children} />;
}
