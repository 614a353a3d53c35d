import type { AdminContractsProps, ContractRow } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { LinkTabs } from '../../ui/link-tabs';
import { OfficeList } from '../../ui/office-list';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';
import { Pages } from '../../ui/pages';
import { stateShape } from './state-shape';

/** Contracts by state, and the templates that they are based on. */
export function ContractsPage({ tabs, rows, nextHref, templates }: AdminContractsProps) {
  return (
    <div className="stack office-sections">
      <h1>Contracts</h1>
      {templates.length > 0 ? (
        <section className="stack-small" aria-labelledby="templates-heading">
          <h2 id="templates-heading">Templates</h2>
          <OfficeList>
            {templates.map(({ name, href, text }) => (
              <OfficeItem key={href}>
                <a href={href}>{name}</a>
                <span className="office-sub">{text}</span>
              </OfficeItem>
            ))}
          </OfficeList>
        </section>
      ) : null}
      <section className="stack-small" aria-labelledby="list-heading">
        <h2 id="list-heading">All contracts</h2>
        <LinkTabs
          label="States"
          tabs={tabs.map(({ label, href, current }) => ({ label, href, isCurrent: current }))}
        />
        {rows.length > 0 ? <Rows rows={rows} /> : <p>There is no contract in this state.</p>}
        <Pages label="Pages" steps={[{ href: nextHref, label: 'Earlier ones', way: 'next' }]} />
      </section>
    </div>
  );
}

function Rows({ rows }: { rows: ContractRow[] }) {
  return (
    <Table label="Contracts">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">Program</th>
          <th scope="col">Contract</th>
          <th scope="col">Changed</th>
          <th scope="col">Sign by</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <a href={row.href}>{row.name}</a>
              <span className="office-sub">{row.reference}</span>
            </th>
            <td>
              <Tag shape={stateShape(row.state)}>{row.stateText}</Tag>
            </td>
            <td>{row.program}</td>
            <td>{row.number}</td>
            <td>{row.changedText}</td>
            <td>{row.signByText ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
