import type { ReactNode } from 'react';
import { BulkLegend, BulkPaper } from '../../theme/parts/bulk-bar';

/** What can be done with the chosen applications. */
export function BulkBar({ chosen, children }: { chosen: number; children: ReactNode }) {
  return (
    <BulkPaper component="fieldset" className={chosen > 0 ? 'office-choices chosen' : 'office-choices'}>
      <BulkLegend component="legend">
        {chosen > 0 ? `With the ${chosen} chosen` : 'With the chosen applications'}
      </BulkLegend>
      {children}
    </BulkPaper>
  );
}
