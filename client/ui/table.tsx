import MuiTable from '@mui/material/Table';
import TableContainer from '@mui/material/TableContainer';
import type { ReactNode } from 'react';

interface TableProps {
  /** Names the region in which it scrolls. */
  label: string;
  className?: string;
  /** 0 where nothing in it takes the focus, so that it is scrolled by keyboard. */
  tabIndex?: 0;
  children: ReactNode;
}

/**
 * A table of the office. Its rows and cells are native elements, which `office-table` sets: as Material UI's parts they cost
 * four to seven times as much.
 */
export function Table({ label, className, tabIndex, children }: TableProps) {
  return (
    <TableContainer
      className={className ? `office-table ${className}` : 'office-table'}
      role="region"
      aria-label={label}
      tabIndex={tabIndex}
    >
      <MuiTable>{children}</MuiTable>
    </TableContainer>
  );
}
