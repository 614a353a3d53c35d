import type { AdminCommitteeProps, CommitteeRow } from '../../api/page.gen';
import { ButtonLink } from '../../ui/button';
import { CountedTabs } from '../../ui/counted-tabs';
import { Table } from '../../ui/table';

/** The undecided applications with readers, best scores first. */
export function CommitteePage({ tabs, rows, isCut }: AdminCommitteeProps) {
  return (
    <div className="stack office-sections">
      <h1>Committee</h1>
      <CountedTabs label="Programs" tabs={tabs} />
      {rows.length === 0 ? (
        <p>
          No undecided application is being read. Readers are asked in an application, in its tab “Readings”:{' '}
          <a href="/admin-panel/applications">see the applications</a>.
        </p>
      ) : (
        <>
          <div className="row">
            <ButtonLink href={rows[0]!.href}>Go through them one after the other</ButtonLink>
            {isCut ? <p>There are more: these are the first 500.</p> : null}
          </div>
          <Table label="Applications before the committee" className="office-wide committee">
            <thead>
              <tr>
                <th scope="col">Applicant</th>
                <th scope="col">Reference</th>
                <th scope="col">Program</th>
                <th scope="col">Stage</th>
                <th scope="col">Score</th>
                <th scope="col">Recommendations</th>
                <th scope="col">Sent</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.href} row={row} />
              ))}
            </tbody>
          </Table>
        </>
      )}
    </div>
  );
}

function Row({ row }: { row: CommitteeRow }) {
  const said = [
    row.accept > 0 ? `${row.accept} accept` : '',
    row.unsure > 0 ? `${row.unsure} not sure` : '',
    row.reject > 0 ? `${row.reject} reject` : '',
  ].filter(Boolean);
  return (
    <tr>
      <th scope="row">
        <a href={row.href}>{row.name}</a>
      </th>
      <td>{row.reference}</td>
      <td>{row.program}</td>
      <td>{row.stage}</td>
      <td>
        {row.mean === null ? (
          <span className="office-sub">{row.isBlind ? 'Send yours first' : 'None sent'}</span>
        ) : (
          <span className="committee-score">
            <strong>{row.mean}</strong>
            <span
              className="basis-bar"
              data-tenths={Math.round((row.percent ?? 0) / 10)}
              aria-hidden="true"
            />
          </span>
        )}
      </td>
      <td>{said.length > 0 ? said.join(', ') : '–'}</td>
      <td>{row.sentText}</td>
    </tr>
  );
}
