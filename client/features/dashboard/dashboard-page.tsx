import type { DashboardProps } from '../../api/page';
import { Button, ButtonLink } from '../../ui/button';
import { Card } from '../../ui/card';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { Notice } from '../../ui/notice';

/** Where the application stands, and the one thing to do next. */
export function DashboardPage({
  application,
  withdrawn,
  error,
  loadFailed,
  nextStep,
  timeline,
}: DashboardProps) {
  return (
    <div className="dashboard">
      <h1>Your admission</h1>
      {error ? (
        <Notice tone="error" role="alert">
          <p>{error}</p>
        </Notice>
      ) : null}
      {withdrawn ? <Undo {...withdrawn} /> : null}
      <Card
        loud
        heading={
          <>
            <span className="eyebrow">Your next step</span>
            {nextStep.title}
          </>
        }
      >
        <p>{nextStep.text}</p>
        <ButtonLink href={nextStep.href}>{nextStep.label}</ButtonLink>
      </Card>
      {loadFailed ? null : (
        <section aria-labelledby="status-heading">
          <p className="eyebrow">Where you stand</p>
          <h2 id="status-heading">{application?.title ?? 'No application yet'}</h2>
          {application ? <Status {...application} /> : <p>Everything begins with an application.</p>}
        </section>
      )}
      {loadFailed ? null : (
        <section aria-labelledby="timeline-heading">
          <h2 id="timeline-heading">The way to enrollment</h2>
          <Timeline entries={timeline} />
        </section>
      )}
    </div>
  );
}

/** For a few minutes after a withdrawal. */
function Undo({ programName, untilText, ...withdrawn }: NonNullable<DashboardProps['withdrawn']>) {
  return (
    <Notice tone="info" title={`You have withdrawn your application for the ${programName}`}>
      <p>If this was a mistake, you can undo it until {untilText}.</p>
      <form method="post" action="/dashboard" className="form-actions">
        <input type="hidden" name="revision" value={withdrawn.revision} />
        <input type="hidden" name="key" value={withdrawn.idempotencyKey} />
        <Button variant="secondary" name="_action" value="undo-withdraw">
          Undo
        </Button>
      </form>
    </Notice>
  );
}

function Status(application: NonNullable<DashboardProps['application']>) {
  const { meaning, programName, reference, whoseTurn, byWhen } = application;
  const { startedText, savedText, submittedText } = application;
  const facts: [string, string | null][] = [
    ['Program', programName],
    ['Reference number', reference],
    ['Whose turn', whoseTurn],
    ['By when', byWhen],
    ['Started', startedText],
    ['Last saved', savedText],
    ['Submitted', submittedText],
  ];
  return (
    <>
      <p>{meaning}</p>
      <dl className="facts-list">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </>
  );
}

const steps = {
  done: { shape: 'check', word: 'Done' },
  current: { shape: 'half', word: 'In progress' },
  upcoming: { shape: 'circle', word: 'Later' },
} as const satisfies Record<DashboardProps['timeline'][number]['state'], { shape: IconName; word: string }>;

function Timeline({ entries }: { entries: DashboardProps['timeline'] }) {
  return (
    <ol className="timeline">
      {entries.map(({ label, state, date }) => {
        const { shape, word } = steps[state];
        return (
          <li
            key={label}
            className={`timeline-${state}`}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            <Icon name={shape} />
            <strong>{label}</strong>
            <span>
              {word}
              {date ? <small>{date}</small> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Beside the dashboard: how far it is, in one line. The step under way counts half, so that the bar is never empty. */
export function DashboardSide({ side, timeline, loadFailed }: DashboardProps) {
  const done = timeline.filter((entry) => entry.state === 'done').length;
  const current = timeline.find((entry) => entry.state === 'current');
  const text = current
    ? `Step ${done + 1} of ${timeline.length}: ${current.label}`
    : `${done} of ${timeline.length} steps done`;
  return (
    <Card heading={side.title}>
      <p className="small">{side.description}</p>
      {loadFailed ? null : (
        <div className="dashboard-progress">
          <label htmlFor="dashboard-progress">{text}</label>
          <progress id="dashboard-progress" value={current ? done + 0.5 : done} max={timeline.length} />
        </div>
      )}
    </Card>
  );
}
