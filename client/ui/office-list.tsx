import type { ReactNode } from 'react';
import { OfficeLines } from '../theme/parts/office-list';

interface OfficeListProps {
  /** Names the list. */
  label?: string;
  wide?: boolean;
  children: ReactNode;
}

/** Things of the office, each a line. */
export function OfficeList({ label, wide = false, children }: OfficeListProps) {
  return (
    <OfficeLines className={wide ? 'wide' : ''} aria-label={label}>
      {children}
    </OfficeLines>
  );
}
