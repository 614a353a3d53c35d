import type { AdminFiguresProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Legend, Patterns } from '../../ui/chart-patterns';
import { Disclosure } from '../../ui/disclosure';
import { Table } from '../../ui/table';
import { DecisionChart } from './decision-chart';
import { WaitingChart } from './waiting-chart';
import { WeeksChart } from './weeks-chart';

/** What the list comes to: each chart with its numbers. */
export function FiguresPage(props: AdminFiguresProps) {
  const { statuses, weeks, waits, waiting, countedText } = props;
  const total = weeks.reduce((sum, week) => sum + week.submitted, 0);
  const decided = weeks.reduce((sum, week) => sum + week.decided, 0);
  const waitingNow = waiting.reduce((sum, row) => sum + row.counts.reduce((all, count) => all + count, 0), 0);
  return (
    <div className="stack office-sections figures">
      <BackLink href="/admin-panel/applications">Applications</BackLink>
      <h1>Figures</h1>
      <p>The last 26 weeks, each from Monday on. Counted {countedText}.</p>
      <Patterns />
      <section className="stack-small" aria-labelledby="weeks-heading">
        <h2 id="weeks-heading">How far they have got</h2>
        <p>
          {total.toLocaleString('en-US')} applications were submitted in these weeks. Each bar is a week, and
          its parts are the statuses that these applications have now.
        </p>
        <Legend labels={statuses} />
        <WeeksChart weeks={weeks} statuses={statuses} />
        <Numbers title="How far they have got">
          <thead>
            <tr>
              <th scope="col">Week of</th>
              {statuses.map((status) => (
                <th scope="col" key={status}>
                  {status}
                </th>
              ))}
              <th scope="col">All</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map(({ week, byStatus, submitted }) => (
              <tr key={week}>
                <th scope="row">{week}</th>
                {byStatus.map((count, index) => (
                  <td key={statuses[index]}>{count}</td>
                ))}
                <td>{submitted}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All weeks</th>
              {statuses.map((status, index) => (
                <td key={status}>{weeks.reduce((sum, { byStatus }) => sum + (byStatus[index] ?? 0), 0)}</td>
              ))}
              <td>{total}</td>
            </tr>
          </tfoot>
        </Numbers>
      </section>
      <section className="stack-small" aria-labelledby="decisions-heading">
        <h2 id="decisions-heading">Time to a decision</h2>
        <p>
          {decided.toLocaleString('en-US')} decisions were released in these weeks. A bar is the days from the
          submission that half of a week’s decisions took at most; the line above it is what nine of ten took
          at most.
        </p>
        <DecisionChart weeks={weeks} />
        <Numbers title="Time to a decision">
          <thead>
            <tr>
              <th scope="col">Week of</th>
              <th scope="col">Decisions released</th>
              <th scope="col">Half within, days</th>
              <th scope="col">Nine of ten within, days</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map((row) => (
              <tr key={row.week}>
                <th scope="row">{row.week}</th>
                <td>{row.decided}</td>
                <td>{row.medianDays ?? '–'}</td>
                <td>{row.mostDays ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </Numbers>
      </section>
      <section className="stack-small" aria-labelledby="waiting-heading">
        <h2 id="waiting-heading">Where applications wait</h2>
        <p>
          {waitingNow.toLocaleString('en-US')} applications are on their way now, by their stage and by how
          long they have been in it.
        </p>
        <Legend labels={waits} />
        <WaitingChart waiting={waiting} waits={waits} />
        <Numbers title="Where applications wait">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              {waits.map((wait) => (
                <th scope="col" key={wait}>
                  {wait}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {waiting.map(({ stage, counts, href }) => (
              <tr key={stage}>
                <th scope="row">
                  <a href={href}>{stage}</a>
                </th>
                {counts.map((count, index) => (
                  <td key={waits[index]}>{count}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Numbers>
      </section>
    </div>
  );
}

function Numbers({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Disclosure summary={'The numbers'}>
      <Table label={`Numbers: ${title}`} tabIndex={0}>
        {children}
      </Table>
    </Disclosure>
  );
}
