import { useMemo } from 'react';
import type { AdminFiguresProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Legend, Patterns } from '../../ui/chart-patterns';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Capacity } from './capacity';
import { FiguresFilter } from './figures-filter';
import { Reports } from './reports';
import { CountCell, FiguresTable, Numbers, listOf } from './numbers';
import { RowChart } from './row-chart';
import { SpanChart } from './span-chart';
import { days, sum, told } from './stacked';

const percent = (value: number | null) => (value === null ? '–' : `${value}%`);

/** Statistics of the list: each chart with its numbers, which link to the applications they count. */
export function FiguresPage(props: AdminFiguresProps) {
  const { daysText, csvHref, countedText, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections figures">
      <BackLink href="/admin-panel/applications">Applications</BackLink>
      <div className="figures-top">
        <h1>Figures</h1>
        <div className="figures-links">
          <a href="#reports">Reports</a>
          <a href={csvHref} data-document>
            Save as CSV
          </a>
        </div>
      </div>
      <FormOutcome errors={errors} message={form.message} />
      <FiguresFilter {...props} />
      <p role="status">
        {daysText}. Counted {countedText}.
      </p>
      <Patterns />
      <Conversion {...props} />
      <Submitted {...props} />
      <Decisions {...props} />
      <Stays {...props} />
      <Waiting {...props} />
      <Capacity {...props} />
      <Readers {...props} />
      <Funding {...props} />
      <Reports {...props} />
    </div>
  );
}

function Conversion({ steps }: AdminFiguresProps) {
  const title = 'Conversion between stages';
  return (
    <section className="stack-small" aria-labelledby="steps-heading">
      <h2 id="steps-heading">{title}</h2>
      <p>
        Of the applications that were started on these days, those that came at least so far. Whoever was
        decided on without an interview counts as past it.
      </p>
      <RowChart
        label="Chart: applications by how far they came"
        rows={steps.map(({ label, count, ofPrevious, ofAll }) => ({
          label,
          parts: [count],
          end: ofAll === null ? told(count) : `${told(count)} · ${ofAll}%`,
          lines: [
            ['Applications', told(count)],
            ['Of the stage before', percent(ofPrevious)],
            ['Of all', percent(ofAll)],
          ],
        }))}
      />
      <Numbers title={title} heads={['Stage', 'Applications', 'Of the stage before', 'Of all']}>
        <tbody>
          {steps.map(({ label, count, ofPrevious, ofAll }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{told(count)}</td>
              <td>{percent(ofPrevious)}</td>
              <td>{percent(ofAll)}</td>
            </tr>
          ))}
        </tbody>
      </Numbers>
    </section>
  );
}

function Submitted({ spans, statuses, waitingQuery, submittedQuery, byMonth }: AdminFiguresProps) {
  const title = 'How far they have got';
  const all = statuses.map((_, index) => sum(spans.map(({ byStatus }) => byStatus[index] ?? 0)));
  const span = byMonth ? 'month' : 'week';
  return (
    <section className="stack-small" aria-labelledby="spans-heading">
      <h2 id="spans-heading">{title}</h2>
      <p>
        {told(sum(all))} applications were submitted on these days. Each bar is a {span}, and its parts are
        the statuses that these applications have now.
      </p>
      <Legend labels={statuses.map(({ label }) => label)} />
      <SpanChart
        spans={spans}
        label={`Chart: applications by ${span} and status`}
        bar={({ label, byStatus }) => ({
          label,
          parts: byStatus,
          lines: [
            ['Submitted', told(sum(byStatus))],
            ...statuses.flatMap((status, index) => {
              const count = byStatus[index] ?? 0;
              return count > 0 ? [[status.label, told(count)] as const] : [];
            }),
          ],
        })}
      />
      <Numbers
        title={title}
        heads={[byMonth ? 'Month' : 'Week of', ...statuses.map(({ label }) => label), 'All']}
      >
        <tbody>
          {spans.map(({ label, query, byStatus }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {byStatus.map((count, index) => (
                <CountCell
                  key={statuses[index]?.label}
                  count={count}
                  query={`${waitingQuery}&${query}&${statuses[index]?.query}`}
                />
              ))}
              <CountCell count={sum(byStatus)} query={`${waitingQuery}&${query}`} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{`All ${span}s`}</th>
            {all.map((count, index) => (
              <CountCell
                key={statuses[index]?.label}
                count={count}
                query={`${submittedQuery}&${statuses[index]?.query}`}
              />
            ))}
            <CountCell count={sum(all)} query={submittedQuery} />
          </tr>
        </tfoot>
      </Numbers>
    </section>
  );
}

function Decisions({ spans, byMonth }: AdminFiguresProps) {
  const title = 'Time to a decision';
  const span = byMonth ? 'month' : 'week';
  return (
    <section className="stack-small" aria-labelledby="decisions-heading">
      <h2 id="decisions-heading">{title}</h2>
      <p>
        {told(sum(spans.map(({ decided }) => decided.count)))} decisions were released on these days. A bar is
        the days from the submission that half of a {span}’s decisions took at most; the line is what nine of
        ten took at most.
      </p>
      <SpanChart
        spans={spans}
        label={`Chart: days from submission to decision by ${span}`}
        bar={({ label, decided }) => ({
          label,
          parts: [decided.medianDays ?? 0],
          mark: decided.mostDays,
          lines: [
            ['Decisions', told(decided.count)],
            ['Half within', days(decided.medianDays)],
            ['Nine of ten within', days(decided.mostDays)],
          ],
        })}
      />
      <Numbers
        title={title}
        heads={[
          byMonth ? 'Month' : 'Week of',
          'Decisions released',
          'Half within, days',
          'Nine of ten within, days',
        ]}
      >
        <tbody>
          {spans.map(({ label, decided }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{told(decided.count)}</td>
              <td>{decided.medianDays ?? '–'}</td>
              <td>{decided.mostDays ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </Numbers>
    </section>
  );
}

function Stays({ stays }: AdminFiguresProps) {
  const title = 'Time in each stage';
  return (
    <section className="stack-small" aria-labelledby="stays-heading">
      <h2 id="stays-heading">{title}</h2>
      <p>
        Of the applications that were submitted on these days, how long they were in the stages that they have
        left: half of them at most as long as the bar, nine of ten at most up to the line.
      </p>
      <RowChart
        label="Chart: days in each stage"
        rows={stays.map(({ stage, took }) => ({
          label: stage,
          parts: [took.medianDays ?? 0],
          mark: took.mostDays,
          end: took.count > 0 ? `${days(took.medianDays)} · ${days(took.mostDays)}` : '–',
          lines: [
            ['Times it was left', told(took.count)],
            ['Half within', days(took.medianDays)],
            ['Nine of ten within', days(took.mostDays)],
          ],
        }))}
      />
      <Numbers
        title={title}
        heads={['Stage', 'Times it was left', 'Half within, days', 'Nine of ten within, days']}
      >
        <tbody>
          {stays.map(({ stage, took }) => (
            <tr key={stage}>
              <th scope="row">{stage}</th>
              <td>{told(took.count)}</td>
              <td>{took.medianDays ?? '–'}</td>
              <td>{took.mostDays ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </Numbers>
    </section>
  );
}

function Waiting({ waiting, waits, waitingQuery }: AdminFiguresProps) {
  const title = 'Where applications wait';
  const all = sum(waiting.map(({ counts }) => sum(counts)));
  return (
    <section className="stack-small" aria-labelledby="waiting-heading">
      <h2 id="waiting-heading">{title}</h2>
      <p>
        {told(all)} applications are on their way now, whenever they were submitted, by their stage and by how
        long they have been in it.
      </p>
      <Legend labels={waits.map(({ label }) => label)} />
      <RowChart
        label="Chart: applications by stage and time in it"
        rows={waiting.map(({ stage, counts }) => ({
          label: stage,
          parts: counts,
          end: told(sum(counts)),
          lines: [
            ['Applications', told(sum(counts))],
            ...counts.map((count, index) => [waits[index]?.label ?? '', told(count)] as const),
          ],
        }))}
      />
      <Numbers title={title} heads={['Stage', ...waits.map(({ label }) => label), 'All']}>
        <tbody>
          {waiting.map(({ stage, query, counts }) => (
            <tr key={stage}>
              <th scope="row">
                <a href={listOf(`${waitingQuery}&${query}`)}>{stage}</a>
              </th>
              {counts.map((count, index) => (
                <CountCell
                  key={waits[index]?.label}
                  count={count}
                  query={`${waitingQuery}&${query}&${waits[index]?.query}`}
                />
              ))}
              <CountCell count={sum(counts)} query={`${waitingQuery}&${query}`} />
            </tr>
          ))}
        </tbody>
      </Numbers>
    </section>
  );
}

function Readers({ readers, submittedQuery }: AdminFiguresProps) {
  const title = 'By reader';
  return (
    <section className="stack-small" aria-labelledby="readers-heading">
      <h2 id="readers-heading">{title}</h2>
      <p>
        What each did about the applications that were submitted on these days, and the days that half of it
        took at most: from the submission to the last look at documents, from the interview to its scores, and
        from the submission to the release of the decision that they drafted.
      </p>
      {readers.length > 0 ? (
        <FiguresTable
          title={title}
          heads={[
            'Reader',
            'Looks after',
            'Documents reviewed',
            'Half within, days',
            'Interviews scored',
            'Half within, days ',
            'Decisions',
            'Half within, days  ',
          ]}
        >
          <tbody>
            {readers.map(({ name, query, owned, work }) => (
              <tr key={query}>
                <th scope="row">{name}</th>
                <CountCell count={owned} query={`${submittedQuery}&${query}`} />
                {work.flatMap(({ count, medianDays }, index) => [
                  // The position is the identity.
                  <td key={`count-${index}`}>{told(count)}</td>,
                  <td key={`days-${index}`}>{medianDays ?? '–'}</td>,
                ])}
              </tr>
            ))}
          </tbody>
        </FiguresTable>
      ) : (
        <p>Nobody has looked at these applications yet.</p>
      )}
    </section>
  );
}

function Funding({ funding, statuses, submittedQuery }: AdminFiguresProps) {
  const title = 'By source of funding';
  return (
    <section className="stack-small" aria-labelledby="funding-heading">
      <h2 id="funding-heading">{title}</h2>
      <p>
        The applications that were submitted on these days, by what applicants want to pay with and the status
        that they have now. An application that names several counts for each of them.
      </p>
      <Legend labels={statuses.map(({ label }) => label)} />
      <RowChart
        label="Chart: applications by source of funding and status"
        rows={funding.map(({ label, byStatus }) => ({
          label,
          parts: byStatus,
          end: told(sum(byStatus)),
          lines: [
            ['Applications', told(sum(byStatus))],
            ...statuses.flatMap((status, index) => {
              const count = byStatus[index] ?? 0;
              return count > 0 ? [[status.label, told(count)] as const] : [];
            }),
          ],
        }))}
      />
      <Numbers title={title} heads={['Source', ...statuses.map(({ label }) => label), 'All']}>
        <tbody>
          {funding.map(({ label, query, byStatus }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {byStatus.map((count, index) => (
                <CountCell
                  key={statuses[index]?.label}
                  count={count}
                  query={query && `${submittedQuery}&${query}&${statuses[index]?.query}`}
                />
              ))}
              <CountCell count={sum(byStatus)} query={query && `${submittedQuery}&${query}`} />
            </tr>
          ))}
        </tbody>
      </Numbers>
    </section>
  );
}
