import type { ReactNode } from 'react';
import { Disclosure } from '../../ui/disclosure';
import { Table } from '../../ui/table';
import { told } from './stacked';

/** The table of a chart. */
export function Numbers({ title, heads, children }: { title: string; heads: string[]; children: ReactNode }) {
  return (
    <Disclosure summary={'The numbers'}>
      <FiguresTable title={title} heads={heads}>
        {children}
      </FiguresTable>
    </Disclosure>
  );
}

export function FiguresTable({
  title,
  heads,
  children,
}: {
  title: string;
  heads: string[];
  children: ReactNode;
}) {
  return (
    <Table label={`Numbers: ${title}`} className="figures-table" tabIndex={0}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </Table>
  );
}

/** A number that links to the applications it counts. */
export function CountCell({ count, query }: { count: number; query: string | null }) {
  return <td>{count > 0 && query !== null ? <a href={listOf(query)}>{told(count)}</a> : told(count)}</td>;
}

/** Returns the address of the list with the given query. */
export const listOf = (query: string) => `/admin-panel/applications?${query}`;
