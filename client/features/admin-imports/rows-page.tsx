import type { AdminImportRowsProps, ImportRowLine } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { CountedTabs } from '../../ui/counted-tabs';
import { grouped } from '../../ui/format';
import { Pages } from '../../ui/pages';
import { Table } from '../../ui/table';
import { RowTag } from './import-tag';
import { OpenRow } from './open-row';
import { Problems } from './problems';

/** Columns that are left out if no row of the page has anything in them. */
const DETAILS = [
  { key: 'email', label: 'Email' },
  { key: 'program', label: 'Program' },
  { key: 'outcome', label: 'Outcome' },
  { key: 'reference', label: 'Reference' },
] as const;

/** The rows of an import, and one of them with all its fields. */
export function RowsPage(props: AdminImportRowsProps) {
  const { name, href, tabs, rows, empty, open, firstHref, nextHref, errorsHref } = props;
  return (
    <div className="imports stack">
      <BackLink href={href}>{name}</BackLink>
      <div className="import-top">
        <h1>Rows</h1>
        {errorsHref ? (
          <a href={errorsHref} data-document>
            Save the rows with errors as CSV
          </a>
        ) : null}
      </div>
      <CountedTabs label="Rows by state" tabs={tabs.map((tab) => ({ ...tab, count: grouped(tab.count) }))} />
      <div className={open ? 'import-rows with-open' : 'import-rows'}>
        <div className="stack-small">
          {rows.length > 0 ? (
            <RowTable rows={rows} isShort={open !== null} />
          ) : (
            <p className="list-empty">{empty}</p>
          )}
          <Pages
            label="Pages"
            steps={[
              { href: firstHref, label: 'First page', way: 'prev' },
              { href: nextHref, label: 'Next page', way: 'next' },
            ]}
          />
        </div>
        {open ? <OpenRow open={open} /> : null}
      </div>
    </div>
  );
}

/** `isShort` beside an open row, which says the rest. */
function RowTable({ rows, isShort }: { rows: ImportRowLine[]; isShort: boolean }) {
  const details = DETAILS.filter(({ key }) => !isShort && rows.some((row) => row[key] !== ''));
  const hasProblems = !isShort && rows.some(({ problems }) => problems.length > 0);
  return (
    <Table label="Rows" className="import-table">
      <thead>
        <tr>
          <th scope="col">Row</th>
          <th scope="col">Name</th>
          {details.map(({ key, label }) => (
            <th scope="col" key={key}>
              {label}
            </th>
          ))}
          <th scope="col">State</th>
          {hasProblems ? <th scope="col">What to know</th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.href} aria-current={row.current || undefined}>
            <th scope="row" data-label="Row">
              <a href={row.href} aria-label={`Row ${row.number}`}>
                {row.number}
              </a>
            </th>
            <td data-label="Name">
              {row.applicationHref ? <a href={row.applicationHref}>{row.name || '–'}</a> : row.name || '–'}
            </td>
            {details.map(({ key, label }) => (
              <td key={key} data-label={label} className="import-cell" title={row[key]}>
                {row[key] || '–'}
              </td>
            ))}
            <td data-label="State">
              <RowTag state={row.state}>{row.stateText}</RowTag>
            </td>
            {hasProblems ? (
              <td className="import-told">
                <Problems problems={row.problems} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
