import MuiTable from '@mui/material/Table';
import TableContainer from '@mui/material/TableContainer';
import type { ReactNode } from 'react';

interface TableProps {
  /** Accessible name of the scrolling region. */
  label: string;
  className?: string;
  /** 0 if nothing in it is focusable, so that it can be scrolled by keyboard. */
  tabIndex?: 0;
  children: ReactNode;
}

/**
 * A table on staff pages. Rows and cells are native elements, styled by `office-table`: as Material UI components they
 * would cost four to seven times as much.
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
