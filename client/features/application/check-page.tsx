import { useMemo } from 'react';
import type { CheckProps } from '../../api/page';
import { Button, ButtonLink } from '../../ui/button';
import { ErrorSummary, type SummaryError } from '../../ui/error-summary';
import { Checkbox, fieldId } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { AnswerSummary } from './answer-summary';

/** Everything that will be sent, what is missing, and the declaration. */
export function CheckPage({ check }: { check: CheckProps }) {
  const { info, data, choices, missing, form, declaration } = check;
  const formHref = `/${info.path}/application`;
  const errors = useMemo<SummaryError[]>(
    () => [
      ...missing.map(({ path, sentence }) => ({
        name: path,
        message: sentence,
        href: `${formHref}#${fieldId(path)}`,
      })),
      ...Object.entries(form.errors).map(([name, message]) => ({ name, message })),
    ],
    [missing, form, formHref],
  );
  const isComplete = missing.length === 0;
  return (
    <div className="check">
      <header className="stack-small">
        <p className="eyebrow">{info.degree}</p>
        <h1>Check your answers</h1>
        <p className="hint">This is what we will read. Change whatever is not right, then submit it.</p>
      </header>
      {form.error ? (
        <Notice tone="warning" role="alert">
          {form.error}
        </Notice>
      ) : null}
      <ErrorSummary
        errors={errors}
        title={isComplete ? undefined : 'Some answers are missing'}
        quiet={Object.keys(form.values).length === 0}
      />
      <AnswerSummary data={data} choices={choices} missing={missing} formHref={formHref} canChange />
      {isComplete ? (
        <form className="check-form" method="post" action={`${formHref}/check`} noValidate>
          <input type="hidden" name="revision" value={check.revision} />
          <input type="hidden" name="key" value={check.idempotencyKey} />
          <div className="section-head">
            <h2>Declaration</h2>
          </div>
          <Checkbox
            name="declaration"
            value="yes"
            label={declaration}
            required
            error={form.errors['declaration']}
          />
          <div className="form-actions">
            <Button>Submit your application</Button>
            <ButtonLink variant="quiet" href={formHref}>
              Back to your answers
            </ButtonLink>
          </div>
        </form>
      ) : (
        <div className="form-actions">
          <ButtonLink href={formHref}>Complete your answers</ButtonLink>
          <p className="hint">You can submit when nothing is missing any more.</p>
        </div>
      )}
    </div>
  );
}
