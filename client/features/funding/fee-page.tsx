import { useMemo } from 'react';
import type { FeeProps, FeeRequest } from '../../api/page.gen';
import { t } from '../../api/texts';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FeeTag } from '../../ui/fee-tag';
import { TextArea, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { HowToPay } from './how-to-pay';

/** Maximum number of characters in the reason for a waiver. */
const MAX_STATEMENT = 1000;

interface FeePageProps extends FeeProps {
  contactEmail: string;
}

/** The application fee: how far it is, paying it, and having it waived. */
export function FeePage(props: FeePageProps) {
  const { info, state, request, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack fee">
      <BackLink href="/dashboard">Your dashboard</BackLink>
      <header className="stack-small">
        <p className="eyebrow">{info.degree}</p>
        <h1>Application fee</h1>
      </header>
      <FormOutcome errors={errors} message={form.message} />
      <p className="lead">{props.meaning}</p>
      <Facts {...props} />
      {request && state === 'due' ? <Request {...request} /> : null}
      {props.open ? <Ways {...props} /> : null}
      {props.canBook ? (
        <div>
          <ButtonLink href="/schedule">Book your interview</ButtonLink>
        </div>
      ) : null}
    </div>
  );
}

function Facts({ state, word, amountText, owedText, intakeText, settledText, code, receipts }: FeePageProps) {
  const facts: [string, string | null][] = [
    [t('Still to pay'), owedText],
    [t('Intake'), intakeText],
    [state === 'paid' ? t('Paid on') : t('Waived on'), settledText],
    [t('Code'), code],
  ];
  return (
    <dl className="facts-list">
      <div>
        <dt>Amount</dt>
        <dd>
          {amountText} <FeeTag state={state} word={word} />
        </dd>
      </div>
      {facts.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
      {receipts.length > 0 ? (
        <div>
          <dt>For your records</dt>
          <dd>
            <ul className="plain-list">
              {receipts.map((href) => (
                <li key={href}>
                  <a href={href} data-document>
                    Receipt (PDF)
                  </a>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

/** What the applicant has asked for, and our answer. */
function Request({ askedText, statement, waits, refused }: FeeRequest) {
  return (
    <section className="stack-small refused" aria-labelledby="request-heading">
      <h2 id="request-heading">Your request for a waiver</h2>
      {waits ? (
        <p>We are looking at it and will write to you. If you would rather pay the fee now, you still can.</p>
      ) : null}
      <p className="small">{askedText}</p>
      <blockquote>{statement}</blockquote>
      {refused ? (
        <>
          <p className="small">{refused.text}</p>
          <blockquote>{refused.reason}</blockquote>
        </>
      ) : null}
    </section>
  );
}

/** The ways to settle the fee. */
function Ways(props: FeePageProps) {
  const { info, amountText, provider, form } = props;
  const { values, errors } = form;
  const owed = props.owedText ?? amountText;
  const href = `/${info.path}/application/fee`;
  return (
    <>
      {provider ? (
        <section className="stack-small" aria-labelledby="card-heading">
          <h2 id="card-heading">Pay by card</h2>
          <form className="stack-small" method="post" action={href}>
            <p className="hint">
              You enter your card details on a {provider} page. We never see the card number.
            </p>
            <Button name="act" value="pay">
              Pay {owed} by card
            </Button>
          </form>
        </section>
      ) : null}
      <HowToPay byCard={provider !== null} reference={props.reference} contactEmail={props.contactEmail} />
      <section className="stack-small" aria-labelledby="code-heading">
        <h2 id="code-heading">Use a code</h2>
        <p>If we have given you a code for the fee, enter it here. You then do not pay anything.</p>
        <form method="post" action={href} noValidate>
          <TextField
            label="Code"
            name="code"
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            required
            error={errors['code']}
            defaultValue={String(values['code'] ?? '')}
          />
          <div className="form-actions">
            <Button variant="secondary" name="act" value="code">
              Use the code
            </Button>
          </div>
        </form>
      </section>
      {props.canAsk ? (
        <section className="stack-small" aria-labelledby="waiver-heading">
          <h2 id="waiver-heading">Ask for a waiver</h2>
          <p>If you cannot pay the fee, tell us why. We will look at it and write to you.</p>
          <form method="post" action={href} noValidate>
            <TextArea
              label="Why you cannot pay the fee"
              name="statement"
              maxLength={MAX_STATEMENT}
              required
              error={errors['statement']}
              defaultValue={String(values['statement'] ?? '')}
            />
            <div className="form-actions">
              <Button variant="secondary" name="act" value="need">
                Ask for a waiver
              </Button>
            </div>
          </form>
        </section>
      ) : null}
      <section className="stack-small" aria-labelledby="why-heading">
        <h2 id="why-heading">Why there is a fee</h2>
        <p>
          It pays for part of the work of reading your application and meeting you. You pay it once. It is not
          part of tuition, and we do not refund it if you withdraw.
        </p>
      </section>
    </>
  );
}
