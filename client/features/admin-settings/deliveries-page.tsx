import { useMemo } from 'react';
import type { AdminDeliveriesProps, JobRow, MailRow } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { LinkTabs } from '../../ui/link-tabs';
import { OfficeList } from '../../ui/office-list';
import { Tag } from '../../ui/tag';

const PATH = '/admin-panel/settings/deliveries';

/** Emails and jobs: pending, sent, and given up. */
export function DeliveriesPage(props: AdminDeliveriesProps) {
  const { state, states, mails, jobs, most, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  const tabs = [{ value: '', label: 'All' }, ...states].map(({ value, label }) => ({
    href: value ? `${PATH}?state=${value}` : PATH,
    label,
    isCurrent: value === state,
  }));
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/settings">All settings</BackLink>
      <h1>Emails and jobs</h1>
      <FormOutcome errors={errors} message={form.message} />
      <p>
        Emails: {props.mailsWaiting} waiting, {props.mailsFailed} failed. Jobs: {props.jobsWaiting} waiting,{' '}
        {props.jobsParked} parked. What failed is tried again after growing pauses, and parked in the end.
      </p>
      <section className="stack-small" aria-labelledby="mails-heading">
        <h2 id="mails-heading">Emails</h2>
        <LinkTabs label="Emails by state" tabs={tabs} />
        {mails.length > 0 ? <Mails mails={mails} /> : <p>There is none.</p>}
        {mails.length === most ? <p className="hint">The newest {most}.</p> : null}
      </section>
      <section className="stack-small" aria-labelledby="jobs-heading">
        <h2 id="jobs-heading">Jobs</h2>
        {jobs.length > 0 ? <JobList jobs={jobs} /> : <p>There is none.</p>}
        {jobs.length === most ? <p className="hint">Parked ones, and the next: {most} in all.</p> : null}
      </section>
    </div>
  );
}

function Mails({ mails }: { mails: MailRow[] }) {
  return (
    <OfficeList wide label="Emails">
      {mails.map((mail) => (
        <OfficeItem key={mail.id}>
          <div>
            <strong>{mail.subject}</strong> to {mail.to}{' '}
            <Tag shape={shapes[mail.state]}>{mail.stateText}</Tag>
            <p className="small">
              {mail.template} · written {mail.createdText}
              {mail.finishedText ? ` · done ${mail.finishedText}` : null}
              {mail.dueText ? ` · next try ${mail.dueText}` : null}
              {mail.attempts > 0 ? ` · tries: ${mail.attempts}` : null}
            </p>
            {mail.error ? <p className="small">{mail.error}</p> : null}
            {mail.state === 'failed' && !mail.mayBeRetried ? (
              <p className="small">Its link is no longer kept. The recipient can ask for a new one.</p>
            ) : null}
          </div>
          {mail.mayBeRetried ? (
            <Retry value={`mail:${mail.id}`} what={`the email “${mail.subject}” to ${mail.to}`} />
          ) : null}
        </OfficeItem>
      ))}
    </OfficeList>
  );
}

const shapes = {
  waiting: 'clock',
  sent: 'check',
  kept: 'circle',
  held: 'circle',
  failed: 'warning',
} as const;

function JobList({ jobs }: { jobs: JobRow[] }) {
  return (
    <OfficeList wide label="Jobs">
      {jobs.map((job) => (
        <OfficeItem key={job.id}>
          <div>
            <strong>{job.kind}</strong>{' '}
            {job.parked ? <Tag shape="warning">Parked</Tag> : <Tag shape="clock">Waiting</Tag>}
            <p className="small">
              {job.subject === job.kind ? 'Recurs' : job.subject} · {job.parked ? 'was due' : 'due'}{' '}
              {job.dueText}
              {job.attempts > 0 ? ` · tries: ${job.attempts}` : null}
            </p>
            {job.error ? <p className="small">{job.error}</p> : null}
          </div>
          {job.parked ? <Retry value={`job:${job.id}`} what={`the job ${job.kind}`} /> : null}
        </OfficeItem>
      ))}
    </OfficeList>
  );
}

function Retry({ value, what }: { value: string; what: string }) {
  return (
    <form method="post" action={PATH}>
      <Button variant="secondary" name="_action" value={value}>
        Try again
        <span className="visually-hidden">: {what}</span>
      </Button>
    </form>
  );
}
