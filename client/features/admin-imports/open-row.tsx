import type { OpenImportRow } from '../../api/page.gen';
import { ButtonLink } from '../../ui/button';
import { Table } from '../../ui/table';
import { RowTag } from './import-tag';
import { Problems } from './problems';

/** A row with all its fields: as they came, and as they were understood. */
export function OpenRow({ open }: { open: OpenImportRow }) {
  const { number, state, stateText, reference, applicationHref, problems, fields, closeHref } = open;
  return (
    <section className="import-row stack-small" id="row" aria-labelledby="row-heading" tabIndex={-1}>
      <div className="import-top">
        <h2 id="row-heading">Row {number}</h2>
        <ButtonLink variant="quiet" size="small" href={closeHref}>
          Close
        </ButtonLink>
      </div>
      <p>
        <RowTag state={state}>{stateText}</RowTag>{' '}
        {applicationHref ? <a href={applicationHref}>{reference ?? 'Open the application'}</a> : reference}
      </p>
      <Problems problems={problems} />
      {fields.length > 0 ? (
        <Table label={`Row ${number}, field by field`} className="import-table" tabIndex={0}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">As it came</th>
              <th scope="col">As it is understood</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ label, column, sent, read, problems: own }) => (
              <tr key={label}>
                <th scope="row" className="import-wraps">
                  {label}
                  <span className="office-sub">{column === null ? 'No column' : `Column “${column}”`}</span>
                </th>
                <td className="import-wraps" data-label="As it came">
                  {sent || '–'}
                </td>
                <td className="import-wraps" data-label="As it is understood">
                  {read ?? '–'}
                  <Problems problems={own.map((problem) => ({ ...problem, column: '' }))} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      ) : (
        <p>What the row said is deleted: it is kept no longer than the import needs it.</p>
      )}
    </section>
  );
}
