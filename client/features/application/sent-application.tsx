import { useMemo } from 'react';
import type { ApplicationProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { TextArea } from '../../ui/field';
import { Reference } from '../../ui/reference';
import { AnswerSummary } from './answer-summary';

type Sent = NonNullable<ApplicationProps['sent']>;

interface SentApplicationProps extends ApplicationProps {
  application: NonNullable<ApplicationProps['application']>;
  sent: Sent;
}

/** A submitted application, read-only, and the actions on it. */
export function SentApplication({ application, sent, info, questionnaire }: SentApplicationProps) {
  const errors = useMemo(() => summaryErrors(sent.form), [sent.form]);
  const formHref = `/${info.path}/application`;
  return (
    <div className="check">
      <header>
        <p className="eyebrow">{info.degree}</p>
        <h1>Your application for the {info.name}</h1>
        <p className="hint">
          {sent.submittedText ? t`You submitted it on ${sent.submittedText}. ` : null}
          Your answers can be read here.
        </p>
      </header>
      <ErrorSummary errors={errors} />
      {sent.reference ? <Reference number={sent.reference} /> : null}
      {application.stage === 'submitted' ? (
        <div className="form-actions">
          {sent.fee ? (
            <ButtonLink href={sent.fee.href}>{sent.fee.label}</ButtonLink>
          ) : (
            <ButtonLink href="/schedule">Book your interview</ButtonLink>
          )}
        </div>
      ) : null}
      <p>
        <a href="/dashboard/application.pdf" download>
          Your PDF copy
        </a>
      </p>
      <Actions sent={sent} formHref={formHref} revision={application.revision} />
      <AnswerSummary info={info} data={application.data} questions={questionnaire.questions} missing={[]} />
      <div className="form-actions">
        <ButtonLink href="/dashboard">Go to your dashboard</ButtonLink>
      </div>
    </div>
  );
}

interface ActionsProps {
  sent: Sent;
  formHref: string;
  revision: number;
}

function Actions({ sent, formHref, revision }: ActionsProps) {
  const known = (
    <>
      <input type="hidden" name="revision" value={revision} />
      <input type="hidden" name="key" value={sent.idempotencyKey} />
    </>
  );
  const reason = sent.form.values['reason'];
  return (
    <div className="sent-actions">
      {sent.canUnsubmit ? (
        <form method="post" action={formHref}>
          {known}
          <p>
            You can still make changes until an interview is booked. Your application comes back to you, and
            you submit it again. It keeps its reference number.
          </p>
          <Button variant="secondary" name="_action" value="unsubmit">
            Change something
          </Button>
        </form>
      ) : null}
      {sent.canWithdraw ? (
        <Disclosure open={'reason' in sent.form.errors} summary="Withdraw your application">
          <form method="post" action={formHref} noValidate>
            {known}
            <p>
              We will then stop reading it, and you can start another one. You can undo this for 15 minutes.
            </p>
            <TextArea
              name="reason"
              label="Why are you withdrawing?"
              hint="A few words help us to do better."
              maxLength={1000}
              required
              defaultValue={typeof reason === 'string' ? reason : ''}
              error={sent.form.errors['reason']}
            />
            <Button variant="secondary" name="_action" value="withdraw">
              Withdraw your application
            </Button>
          </form>
        </Disclosure>
      ) : null}
    </div>
  );
}
