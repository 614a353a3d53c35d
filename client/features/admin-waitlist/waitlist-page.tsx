import { useMemo } from 'react';
import type { AdminWaitlistProps, CapacityFigures, WaitlistRow, WaitlistSection } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { CountedTabs } from '../../ui/counted-tabs';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { grouped } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { Table } from '../../ui/table';

const PATH = '/admin-panel/waitlist';

/** The places of each intake, and the line of those who wait for one. */
export function WaitlistPage(props: AdminWaitlistProps) {
  const { tabs, sections, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="list-page waitlist">
      <div className="list-top">
        <h1>Waitlist</h1>
        <CountedTabs label="Programs" tabs={tabs} />
      </div>
      <FormOutcome errors={errors} message={form.message} />
      {sections.length > 0 ? (
        sections.map((section) => <Line key={section.capacity.id} {...props} section={section} />)
      ) : (
        <p>
          Nobody waits, and every intake has as many places as are needed. Owners can limit them in the
          settings, under “Places”.
        </p>
      )}
    </div>
  );
}

type LineProps = AdminWaitlistProps & { section: WaitlistSection };

function Line(props: LineProps) {
  const { capacity, releaseText, warning, listHref, settingHref, rows, moreText } = props.section;
  const { id, program, intake, left, waiting } = capacity;
  const heading = `${id}-heading`;
  return (
    <section className="stack-small" id={id} aria-labelledby={heading}>
      <h2 id={heading}>
        {program}, {intake}
      </h2>
      <Facts {...capacity} />
      {warning ? (
        <Notice tone="warning">
          <p>
            {warning} <a href={listHref}>Choose them in the list</a> to draft a rejection for those who get no
            place.
          </p>
        </Notice>
      ) : null}
      <p>
        {left !== null && left <= 0 && waiting > 0 ? 'No place can be offered now. ' : null}
        {releaseText}
        {settingHref ? (
          <>
            {' '}
            <a href={settingHref}>
              Change the places<span className="visually-hidden"> of {program}</span>
            </a>
          </>
        ) : null}
      </p>
      {rows.length > 0 ? <Rows {...props} /> : <p>Nobody waits.</p>}
      {moreText || rows.length > 0 ? (
        <p>
          {moreText}{' '}
          <a href={listHref}>
            See them in the list of applications
            <span className="visually-hidden">
              : {program}, {intake}
            </span>
          </a>
        </p>
      ) : null}
    </section>
  );
}

function Facts({ places, over, offered, confirmed, enrolled, deferred, left }: CapacityFigures) {
  const facts: [string, string][] = [
    ['Places', places === null ? 'As many as are needed' : grouped(places)],
    ['Offers beyond them', places !== null && over > 0 ? grouped(over) : ''],
    ['Offers out', grouped(offered)],
    ['Accepted', grouped(confirmed)],
    ['Enrolled', grouped(enrolled)],
    ['Deferred to it', deferred > 0 ? grouped(deferred) : ''],
    ['Offers left', left === null ? '' : left > 0 ? grouped(left) : 'None'],
    ['Too many offers', left !== null && left < 0 ? grouped(-left) : ''],
  ];
  return (
    <dl className="dossier-facts">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Rows(props: LineProps) {
  const { capacity, rows } = props.section;
  return (
    <Table label={`Line: ${capacity.program}, ${capacity.intake}`} className="list-table waitlist-table">
      <thead>
        <tr>
          <th scope="col" className="list-name">
            Name
          </th>
          <th scope="col">Number</th>
          <th scope="col">Reference</th>
          <th scope="col">Since</th>
          <th scope="col">Score</th>
          <th scope="col">Owner</th>
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} id={row.anchor}>
            <th scope="row" className="list-name">
              <a href={row.href} title={row.name}>
                {row.name}
              </a>
            </th>
            <td data-label="Number">{row.position}</td>
            <td data-label="Reference" className="list-reference">
              {row.reference || '–'}
            </td>
            <td data-label="Since">
              {row.joinedText}
              {row.byHand ? ', moved by hand' : null}
            </td>
            <td data-label="Score" className={row.score ? undefined : 'nothing'}>
              {row.score ?? '–'}
            </td>
            <td data-label="Owner" className={row.owner ? undefined : 'nothing'}>
              {row.owner ?? 'Nobody'}
            </td>
            <td className="waitlist-acts">
              <Acts {...props} row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Acts({ row, section, mayMove, program, formKey }: LineProps & { row: WaitlistRow }) {
  const { id, revision, position, name, mayOffer, problem, leaveHref } = row;
  return (
    <>
      {problem ? <span className="waitlist-problem">{problem}</span> : null}
      {mayMove || mayOffer ? (
        <form method="post" action={PATH}>
          <input type="hidden" name="program" value={program} />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="revision" value={revision} />
          <input type="hidden" name="key" value={formKey} />
          {mayOffer ? (
            <Button variant="secondary" size="small" name="_action" value="offer">
              Offer the place<span className="visually-hidden"> to {name}</span>
            </Button>
          ) : null}
          {mayMove && position > 1 ? (
            <Button variant="quiet" size="small" name="_action" value="up" aria-label={`Move ${name} up`}>
              <Icon name="up" />
            </Button>
          ) : null}
          {mayMove && position < section.capacity.waiting ? (
            <Button variant="quiet" size="small" name="_action" value="down" aria-label={`Move ${name} down`}>
              <Icon name="down" />
            </Button>
          ) : null}
        </form>
      ) : null}
      {leaveHref ? (
        <a href={leaveHref}>
          Take off<span className="visually-hidden"> {name}</span>
        </a>
      ) : null}
    </>
  );
}
