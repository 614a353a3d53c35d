import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { FundingProps, FundingSourceField } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Progress } from '../../theme/parts/progress';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { TextField } from '../../ui/field';
import { centsToText, textToCents } from '../../ui/format';
import { FormOutcome } from '../../ui/form-outcome';
import type { IconName } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { Tag } from '../../ui/tag';
import { ScheduleList } from '../../ui/schedule-list';

const PATH = '/dashboard/funding';

const shapes = {
  asked: 'clock',
  pending: 'half',
  confirmed: 'check',
  refused: 'warning',
} as const satisfies Record<NonNullable<FundingSourceField['state']>, IconName>;

const fieldOf = (source: FundingSourceField) => `amounts.${source.kind}`;

/** Who pays tuition, and when the applicant pays what. */
export function FundingPage(props: FundingProps) {
  const { sources, schedule, open, addsUp, values, errors } = props;
  const summary = useMemo(() => summaryErrors(props), [props]);
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(
      sources.map((source) => [fieldOf(source), String(values[fieldOf(source)] ?? source.amount)]),
    ),
  );
  const counted = sources.filter((source) => source.state !== 'refused');
  const covered = open
    ? counted.reduce((sum, source) => sum + (textToCents(typed[fieldOf(source)] ?? '') ?? 0), 0)
    : props.covered;
  return (
    <div className="narrow stack funding">
      <BackLink href="/dashboard">Your dashboard</BackLink>
      <h1>Paying for your studies</h1>
      <FormOutcome errors={summary} message={props.message} />
      <p>{props.statusText}</p>
      {props.pausedText ? (
        <Notice tone="info">
          <p>{props.pausedText}</p>
        </Notice>
      ) : null}
      <Bar covered={covered} tuition={props.tuition} tuitionText={props.tuitionText} />
      {open ? (
        <form className="stack" method="post" action={PATH} noValidate>
          <input type="hidden" name="revision" value={props.revision} />
          <fieldset className="stack">
            <legend>Who pays</legend>
            <p className="hint">
              In US dollars, for the whole program. Leave a field empty if that source pays nothing.
            </p>
            {sources.map((source) => (
              <SourceRow key={source.kind} source={source}>
                <TextField
                  label={source.label}
                  hint={source.hint}
                  className="money"
                  start="$"
                  name={fieldOf(source)}
                  inputMode="decimal"
                  autoComplete="off"
                  error={errors[fieldOf(source)]}
                  value={typed[fieldOf(source)] ?? ''}
                  onChange={(event) => setTyped({ ...typed, [fieldOf(source)]: event.target.value })}
                />
              </SourceRow>
            ))}
          </fieldset>
          <fieldset className="stack">
            <legend>How you pay your own part</legend>
            <TextField
              label="Up front"
              hint="The first payment. Leave it empty if you want to pay month by month."
              className="money"
              start="$"
              name="upFront"
              inputMode="decimal"
              autoComplete="off"
              error={errors['upFront']}
              defaultValue={String(values['upFront'] ?? props.upFront)}
            />
            <TextField
              label="Each month"
              hint="Until your part is paid. The last payment covers what is left."
              className="money"
              start="$"
              name="monthly"
              inputMode="decimal"
              autoComplete="off"
              error={errors['monthly']}
              defaultValue={String(values['monthly'] ?? props.monthly)}
            />
          </fieldset>
          <div className="form-actions">
            <Button>Save the plan</Button>
          </div>
        </form>
      ) : (
        <Kept sources={sources} fixedText={props.fixedText} />
      )}
      {open && schedule.length > 0 ? (
        <section className="stack-small" aria-labelledby="schedule-heading">
          <h2 id="schedule-heading">What you pay, and when</h2>
          <ScheduleList lines={schedule} />
        </section>
      ) : null}
      {props.revision > 0 ? (
        <div className="row">
          <ButtonLink variant="secondary" href="/dashboard/funding.pdf" data-reload="">
            Cost sheet (PDF)
          </ButtonLink>
          {addsUp ? (
            <ButtonLink variant={open ? 'quiet' : 'primary'} href="/dashboard/payments">
              Your payments
            </ButtonLink>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Bar({ covered, tuition, tuitionText }: { covered: number; tuition: number; tuitionText: string }) {
  const missing = tuition - covered;
  const coveredText = `$${centsToText(covered)}`;
  const differenceText = `$${centsToText(Math.abs(missing))}`;
  return (
    <div className="funding-bar">
      <label htmlFor="funding-covered">{t`${coveredText} of ${tuitionText} tuition`}</label>
      <Progress id="funding-covered" value={Math.min(covered, tuition)} max={Math.max(tuition, 1)} />
      <p className="hint" role="status">
        {missing > 0
          ? t`${differenceText} still to cover`
          : missing < 0
            ? t`${differenceText} more than tuition`
            : t('It adds up')}
      </p>
    </div>
  );
}

function SourceRow({ source, children }: { source: FundingSourceField; children: ReactNode }) {
  return (
    <div className="funding-source">
      {children}
      {source.state ? (
        <p className="small">
          <Tag shape={shapes[source.state]}>{source.word}</Tag>{' '}
          {source.reason ? <span>{source.reason} </span> : null}
          {source.evidence && source.state !== 'confirmed' ? (
            <a href={source.evidence.href}>{source.evidence.label}</a>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}

/** A plan that can no longer be changed here. */
function Kept({ sources, fixedText }: { sources: FundingSourceField[]; fixedText: string | null }) {
  return (
    <section aria-labelledby="sources-heading" className="stack-small">
      <h2 id="sources-heading">Who pays</h2>
      <dl className="facts-list">
        {sources
          .filter((source) => source.amount)
          .map((source) => (
            <div key={source.kind}>
              <dt>{source.label}</dt>
              <dd>
                ${source.amount} {source.state ? <Tag shape={shapes[source.state]}>{source.word}</Tag> : null}
              </dd>
            </div>
          ))}
      </dl>
      {fixedText ? <p className="hint">{fixedText}</p> : null}
    </section>
  );
}
