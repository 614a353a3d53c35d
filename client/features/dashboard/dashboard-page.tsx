import Step from '@mui/material/Step';
import StepLabel from '@mui/material/StepLabel';
import { useMemo } from 'react';
import type { DashboardProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { PastLine, Way } from '../../theme/parts/dashboard';
import { Lines } from '../../theme/parts/lines';
import { Progress } from '../../theme/parts/progress';
import { Button, ButtonLink } from '../../ui/button';
import { Card } from '../../ui/card';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { FeeTag } from '../../ui/fee-tag';
import { Icon } from '../../ui/icon';
import type { IconName } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { DecisionSection, DraftDeletion, Withdrawal } from './decision-section';

/** The status of the application, and the one thing to do next. */
export function DashboardPage(props: DashboardProps) {
  const { unconfirmed, application, enrolment, undo, decision, form, loadFailed } = props;
  const { nextStep, fee, documents, references, timeline, past } = props;
  const errors = useMemo(() => (form ? summaryErrors(form) : []), [form]);
  return (
    <div className="dashboard">
      <h1>Your admission</h1>
      <ErrorSummary errors={errors} />
      {props.message ? <Notice tone="success">{props.message}</Notice> : null}
      {unconfirmed ? <ConfirmEmail {...unconfirmed} /> : null}
      {undo ? <Undo {...undo} /> : null}
      {enrolment ? <Enrolled {...enrolment} /> : null}
      {nextStep ? (
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
      ) : null}
      {application?.known && decision ? (
        <DecisionSection decision={decision} known={application.known} form={form} />
      ) : null}
      {loadFailed ? null : (
        <section aria-labelledby="status-heading">
          <p className="eyebrow">Where you stand</p>
          <h2 id="status-heading">{application?.title ?? t('No application yet')}</h2>
          {application ? <Status {...application} /> : <p>Everything begins with an application.</p>}
          {application?.known && application.canDelete ? <DraftDeletion known={application.known} /> : null}
          {application?.known && application.canWithdraw ? (
            <Withdrawal known={application.known} form={form} waits={application.waitlist !== null} />
          ) : null}
        </section>
      )}
      {fee ? <Fee {...fee} /> : null}
      {documents ? <Documents {...documents} /> : null}
      {references ? <References {...references} /> : null}
      {loadFailed ? null : (
        <section aria-labelledby="timeline-heading">
          <h2 id="timeline-heading">Your path to enrollment</h2>
          <Timeline entries={timeline} />
        </section>
      )}
      {past.length > 0 ? <Past applications={past} /> : null}
    </div>
  );
}

/** What enrolled students come back for. */
function Enrolled(props: NonNullable<DashboardProps['enrolment']>) {
  const { programName, startText, nextPayment, paymentsText, contract, contactEmail } = props;
  return (
    <Card
      loud
      heading={
        <>
          <span className="eyebrow">Welcome</span>
          {t`You are enrolled in the ${programName}`}
        </>
      }
    >
      <dl className="facts-list">
        {startText ? (
          <div>
            <dt>Your studies start</dt>
            <dd>{startText}</dd>
          </div>
        ) : null}
        {nextPayment || paymentsText ? (
          <div>
            <dt>{nextPayment ? t('Your next payment') : t('Your payments')}</dt>
            <dd>
              {nextPayment}
              {nextPayment ? <br /> : null}
              {paymentsText}
            </dd>
          </div>
        ) : null}
        <div>
          <dt>Your papers</dt>
          <dd>
            <ul className="plain-list">
              {contract ? (
                <li>
                  <a href="/dashboard/contract">Your signed contract</a>
                </li>
              ) : null}
              <li>
                <a href="/dashboard/letter">Letter of acceptance</a>
              </li>
              {paymentsText ? (
                <li>
                  <a href="/dashboard/funding.pdf" download>
                    Cost sheet (PDF)
                  </a>
                </li>
              ) : null}
            </ul>
          </dd>
        </div>
        <div>
          <dt>Questions</dt>
          <dd>
            <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </dd>
        </div>
      </dl>
      {paymentsText ? (
        <ButtonLink href="/dashboard/payments">See your payments and receipts</ButtonLink>
      ) : null}
    </Card>
  );
}

/** Asks to confirm the e-mail address, which is not required to apply. */
function ConfirmEmail({ email, sent }: NonNullable<DashboardProps['unconfirmed']>) {
  return (
    <Notice tone="info" title={t('Confirm your email')}>
      {sent ? (
        <p>
          We have sent another link to <strong>{email}</strong>. Open it, and we will write to you there from
          then on.
        </p>
      ) : (
        <p>
          We have sent a link to <strong>{email}</strong>. Until you open it, you will find what we write only
          in your messages.
        </p>
      )}
      <form method="post" action="/dashboard" className="form-actions">
        <Button variant="secondary" name="_action" value="resend-confirmation">
          Send it again
        </Button>
        <a href="/dashboard/account/email">Wrong address? Change it</a>
      </form>
    </Notice>
  );
}

/** Shown for a few minutes after an application has ended. */
function Undo({ action, title, untilText, revision, idempotencyKey }: NonNullable<DashboardProps['undo']>) {
  return (
    <Notice tone="info" title={title}>
      <p>If this was a mistake, you can undo it until {untilText}.</p>
      <form method="post" action="/dashboard" className="form-actions">
        <input type="hidden" name="revision" value={revision} />
        <input type="hidden" name="key" value={idempotencyKey} />
        <Button variant="secondary" name="_action" value={action}>
          Undo
        </Button>
      </form>
    </Notice>
  );
}

/** Applications that have ended. */
function Past({ applications }: { applications: DashboardProps['past'] }) {
  return (
    <section aria-labelledby="past-heading">
      <h2 id="past-heading">Past applications</h2>
      <Lines className="past-applications ruled">
        {applications.map(({ href, programName, reference, endedText }) => (
          <PastLine key={href}>
            <a href={href}>
              {programName}
              {reference ? ` ${reference}` : null}
            </a>
            <span>{endedText}</span>
          </PastLine>
        ))}
      </Lines>
    </section>
  );
}

function Status(application: NonNullable<DashboardProps['application']>) {
  const { meaning, programName, reference, whoseTurn, byWhen, waitlist } = application;
  const { startedText, savedText, submittedText, sentHref } = application;
  const facts: [string, string | null][] = [
    [t('Program'), programName],
    [t('Reference number'), reference],
    [t('On the waitlist since'), waitlist?.sinceText ?? null],
    [t('Your number in line'), waitlist?.numberText ?? null],
    [t('Whose turn'), whoseTurn],
    [t('By when'), byWhen],
    [t('Started'), startedText],
    [t('Last saved'), savedText],
    [t('Submitted'), submittedText],
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
      {sentHref ? (
        <p className="dashboard-sent">
          <a href={sentHref}>See what you sent</a> ·{' '}
          <a href="/dashboard/application.pdf" download>
            PDF copy
          </a>
        </p>
      ) : null}
    </>
  );
}

/** How far the application fee is, with a link to it. */
function Fee({ state, word, amountText, meaning, href }: NonNullable<DashboardProps['fee']>) {
  return (
    <section aria-labelledby="fee-heading">
      <h2 id="fee-heading">Application fee</h2>
      <p>
        {amountText} <FeeTag state={state} word={word} />
      </p>
      <p>
        {meaning}{' '}
        <a href={href}>{state === 'due' ? t('Pay it or have it waived') : t('See the application fee')}</a>
      </p>
    </section>
  );
}

/** Progress of the documents, with a link to them. */
function Documents({ settled, of, text, hint }: NonNullable<DashboardProps['documents']>) {
  return (
    <section aria-labelledby="documents-heading">
      <h2 id="documents-heading">Your documents</h2>
      <div className="dashboard-progress">
        <label htmlFor="dashboard-documents">{text}</label>
        <Progress id="dashboard-documents" value={settled} max={of} />
      </div>
      <p>
        {hint}{' '}
        <a href="/dashboard/documents">
          {settled === of ? t('See your documents') : t('Send your documents')}
        </a>
      </p>
    </section>
  );
}

/** Progress of the references, with a link to them. */
function References({ settled, of, text, hint }: NonNullable<DashboardProps['references']>) {
  return (
    <section aria-labelledby="references-heading">
      <h2 id="references-heading">Your references</h2>
      {of > 0 ? (
        <div className="dashboard-progress">
          <label htmlFor="dashboard-references">{text}</label>
          <Progress id="dashboard-references" value={settled} max={of} />
        </div>
      ) : null}
      <p>
        {hint} <a href="/dashboard/references">See your references</a>
      </p>
    </section>
  );
}

const steps = {
  done: { shape: 'check', word: t('Done') },
  current: { shape: 'half', word: t('In progress') },
  upcoming: { shape: 'circle', word: t('Later') },
} as const satisfies Record<DashboardProps['timeline'][number]['state'], { shape: IconName; word: string }>;

function Timeline({ entries }: { entries: DashboardProps['timeline'] }) {
  return (
    <Way nonLinear orientation="vertical" connector={null}>
      {entries.map(({ label, state, date }) => {
        const { shape, word } = steps[state];
        return (
          <Step
            key={label}
            active={state === 'current'}
            completed={state === 'done'}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            <StepLabel
              icon={<Icon name={shape} />}
              optional={
                <span>
                  {word}
                  {date ? <small>{date}</small> : null}
                </span>
              }
            >
              {label}
            </StepLabel>
          </Step>
        );
      })}
    </Way>
  );
}

/** Side panel of the dashboard: progress in one line. The current step counts half, so that the bar is never empty. */
export function DashboardSide({ side, timeline, loadFailed }: DashboardProps) {
  const done = timeline.filter((entry) => entry.state === 'done').length;
  const current = timeline.find((entry) => entry.state === 'current');
  const text = current
    ? t`Step ${done + 1} of ${timeline.length}: ${current.label}`
    : t`${done} of ${timeline.length} steps done`;
  return (
    <Card heading={side.title}>
      <p className="small">{side.description}</p>
      {loadFailed ? null : (
        <div className="dashboard-progress">
          <label htmlFor="dashboard-progress">{text}</label>
          <Progress id="dashboard-progress" value={current ? done + 0.5 : done} max={timeline.length} />
        </div>
      )}
    </Card>
  );
}
