import { useMemo, useState } from 'react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { submitApplication } from '../../api/submission';
import type { CheckProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { ErrorSummary, type SummaryError } from '../../ui/error-summary';
import { CheckboxField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { AnswerSummary } from './answer-summary';
import { answerHref, checkHref, listHref, openSections } from './sections';
import { DECLARATION_ID } from './task-list';

/** Everything that will be submitted, what is missing, and the declaration. */
export function CheckPage({ check, applicant }: { check: CheckProps; applicant: string }) {
  const { info, data, questionnaire, missing, asksReferees, changes, fee, declaration } = check;
  const [form, setForm] = useState(check.form);
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const element = event.currentTarget;
    const declared = new FormData(element).get('declaration') === 'yes';
    setBusy(true);
    const { revision, idempotencyKey: key } = check;
    const result = await submitApplication({ applicant, declaration: declared, revision, key });
    // Replaces this page, so that the back button skips it.
    if (result.ok) return navigate('/thankyou', { replace: true });
    const wrong = result.fields?.['declaration'];
    const isAway = result.status === undefined || result.status === 429 || result.status >= 500;
    if (wrong) setForm({ values: { declaration: '' }, errors: { declaration: wrong } });
    else if (isAway) setForm({ values: {}, errors: {}, error: result.error });
    // The answers have changed, or the session has ended: the server responds with the appropriate page.
    else element.submit();
    setBusy(false);
  }

  const errors = useMemo<SummaryError[]>(
    () => [
      ...missing.map(({ path, sentence, href }) => ({
        name: path,
        message: sentence,
        href: href ?? answerHref(info, path, { fromCheck: true }),
      })),
      ...Object.entries(form.errors).map(([name, message]) => ({ name, message })),
    ],
    [missing, form, info],
  );
  const isComplete = missing.length === 0;
  return (
    <div className="check">
      <header>
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
        title={isComplete ? undefined : t('Some answers are missing')}
        quiet={Object.keys(form.values).length === 0}
      />
      <AnswerSummary
        info={info}
        data={data}
        questions={questionnaire.questions}
        missing={missing}
        open={openSections(changes)}
      />
      {fee ? (
        <section aria-labelledby="fee-heading">
          <div className="section-head">
            <h2 id="fee-heading">Application fee</h2>
          </div>
          <p>{fee}</p>
        </section>
      ) : null}
      {isComplete ? (
        <form
          className="check-form"
          method="post"
          action={checkHref(info)}
          noValidate
          onSubmit={(event) => void submit(event)}
        >
          <input type="hidden" name="revision" value={check.revision} />
          <input type="hidden" name="key" value={check.idempotencyKey} />
          <div className="section-head" id={DECLARATION_ID}>
            <h2>Declaration</h2>
          </div>
          <CheckboxField
            name="declaration"
            value="yes"
            label={declaration}
            required
            error={form.errors['declaration']}
          />
          {asksReferees ? (
            <p className="hint">
              When you submit, we write to your referees.{' '}
              <a href="/dashboard/references">See your references</a>
            </p>
          ) : null}
          <div className="form-actions">
            <Button busy={busy}>
              {busy ? t('Submitting…') : changes ? t('Submit it again') : t('Submit your application')}
            </Button>
            <ButtonLink variant="quiet" href={listHref(info)}>
              Back to all sections
            </ButtonLink>
          </div>
        </form>
      ) : (
        <div className="form-actions">
          <ButtonLink href={listHref(info)}>Complete your answers</ButtonLink>
          <p className="hint">You can submit once nothing is missing.</p>
        </div>
      )}
    </div>
  );
}
