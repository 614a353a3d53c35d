import type { ReactNode } from 'react';
import { OfficeLines } from '../theme/parts/office-list';

interface OfficeListProps {
  /** Accessible name of the list. */
  label?: string;
  wide?: boolean;
  children: ReactNode;
}

/** A list on staff pages, one item per line. */
export function OfficeList({ label, wide = false, children }: OfficeListProps) {
  return (
    <OfficeLines className={wide ? 'wide' : ''} aria-label={label}>
      {children}
    </OfficeLines>
  );
}
