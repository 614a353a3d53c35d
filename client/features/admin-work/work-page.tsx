import { useMemo } from 'react';
import type { AdminWorkProps, WorkRow } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { CountedTabs } from '../../ui/counted-tabs';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { NextTask, WORK } from '../../ui/office-next-task';
import { rowKeys, useKeys } from '../../ui/office-offers';
import { Pages } from '../../ui/pages';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';
import { LoadBars } from './load-bars';

const keys = rowKeys('row');

/** Tasks across all applications: the user's own, unassigned ones, or the whole team's. */
export function WorkPage(props: AdminWorkProps) {
  const { tabs, kinds, rows, load, unplaced, firstHref, nextHref, here, form } = props;
  useKeys(keys);
  const errors = useMemo(() => summaryErrors(form), [form]);
  const shown = tabs.find(({ current }) => current);
  return (
    <div className="list-page work">
      <div className="list-top">
        <h1>Work</h1>
        <CountedTabs label="Whose tasks" tabs={tabs} />
        <div className="list-links">
          <NextTask />
        </div>
      </div>
      <FormOutcome errors={errors} message={form.message} />
      {kinds.length > 1 || kinds.some(({ current }) => current) ? (
        <div>
          <nav aria-label="Kinds of tasks">
            <ul className="work-kinds">
              {kinds.map(({ href, label, count, current }) => (
                <li key={label}>
                  <a href={href} aria-current={current ? 'true' : undefined}>
                    {label} <span>{count}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      ) : null}
      {unplaced ? (
        <p>
          <a href={unplaced.href}>
            {unplaced.count === 1
              ? 'One payment belongs to no application yet'
              : `${unplaced.count.toLocaleString('en-US')} payments belong to no application yet`}
          </a>
        </p>
      ) : null}
      {load.length > 0 ? <LoadBars load={load} /> : null}
      {rows.length > 0 ? <Tasks rows={rows} here={here} /> : <NoTasks tab={shown?.label} />}
      <Pages
        label="Pages"
        steps={[
          { href: firstHref, label: 'First page', way: 'prev' },
          { href: nextHref, label: 'Next page', way: 'next' },
        ]}
      />
    </div>
  );
}

function NoTasks({ tab }: { tab: string | undefined }) {
  if (tab === 'Mine') {
    return (
      <p>
        Nothing waits for you. “Next task” gives you the most pressing one that is nobody’s, or{' '}
        <a href={`${WORK}?whose=unassigned`}>choose one yourself</a>.
      </p>
    );
  }
  return <p>Nothing waits here. Tasks come by themselves as applicants send, change and reply.</p>;
}

/** The tasks, most urgent first. */
function Tasks({ rows, here }: { rows: WorkRow[]; here: string }) {
  return (
    <form method="post" action={WORK}>
      <input type="hidden" name="here" value={here} />
      <Table label="Tasks" className="work-table">
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Applicant</th>
            <th scope="col">Program</th>
            <th scope="col">Stage</th>
            <th scope="col">Waiting</th>
            <th scope="col">Whose</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <a href={row.href} data-row>
                  {row.title}
                </a>
                {row.detail ? <span className="work-detail">{row.detail}</span> : null}
              </th>
              <td>
                {row.name} <span className="work-detail">{row.reference}</span>
              </td>
              <td>{row.program}</td>
              <td>{row.stage}</td>
              <td>
                {row.overdue ? (
                  <Tag shape="warning">
                    <span title={row.momentText}>{row.whenText}</span>
                  </Tag>
                ) : (
                  <span title={row.momentText}>{row.whenText}</span>
                )}
              </td>
              <td>
                <Whose row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </form>
  );
}

function Whose({ row }: { row: WorkRow }) {
  if (row.owner && !row.own) return row.owner;
  const [act, label] = row.own ? ['back', 'Put back'] : ['take', 'Take'];
  return (
    <>
      {row.own ? 'You ' : null}
      <Button
        variant="quiet"
        name="_action"
        value={`${act}:${row.applicationId}/${row.id}`}
        aria-label={`${label}: ${row.title}, ${row.name}`}
      >
        {label}
      </Button>
    </>
  );
}
