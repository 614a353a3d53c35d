import { useMemo } from 'react';
import type { PaymentsProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Lines } from '../../theme/parts/lines';
import { ScheduleLine } from '../../theme/parts/schedule-line';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { CheckboxField } from '../../ui/field';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { ScheduleList } from '../../ui/schedule-list';
import { HowToPay } from './how-to-pay';

const PATH = '/dashboard/payments';

/** What is due, how to pay it, and what was paid. Can be printed as a receipt. */
export function PaymentsPage(props: PaymentsProps) {
  const { addsUp, pausedText, schedule, paidText, leftText, entries, reference, contactEmail } = props;
  const errors = useMemo(() => summaryErrors(props), [props]);
  return (
    <div className="narrow stack funding">
      <BackLink href="/dashboard/funding">Paying for your studies</BackLink>
      <h1>Your payments</h1>
      <FormOutcome errors={errors} message={props.message} />
      {addsUp ? null : (
        <>
          <p>First make a plan that covers tuition. Then you will see here what is due.</p>
          <div>
            <ButtonLink href="/dashboard/funding">Make the plan</ButtonLink>
          </div>
        </>
      )}
      {pausedText ? (
        <Notice tone="info" title="Nothing is due for now">
          <p>{pausedText}</p>
        </Notice>
      ) : null}
      {addsUp && schedule.length > 0 ? (
        <>
          <dl className="facts-list">
            <div>
              <dt>Paid so far</dt>
              <dd>{paidText}</dd>
            </div>
            <div>
              <dt>Still to pay</dt>
              <dd>{leftText}</dd>
            </div>
          </dl>
          <section className="stack-small" aria-labelledby="due-heading">
            <h2 id="due-heading">What you pay, and when</h2>
            <ScheduleList lines={schedule} />
          </section>
          {props.cards ? <Cards {...props.cards} /> : null}
          <HowToPay byCard={props.cards !== null} reference={reference} contactEmail={contactEmail} />
        </>
      ) : null}
      {addsUp && schedule.length === 0 ? (
        <p>Others pay all of your tuition. You have nothing to pay.</p>
      ) : null}
      <section className="stack-small" aria-labelledby="entries-heading">
        <h2 id="entries-heading">What was paid</h2>
        {entries.length > 0 ? (
          <Lines className="schedule-lines ruled">
            {entries.map((entry) => (
              <ScheduleLine key={entry.id}>
                <span>
                  <strong>{entry.what}</strong>
                  <span className="schedule-due">
                    {entry.dayText}
                    {entry.method ? `, ${entry.method}` : null}
                  </span>
                </span>
                <span className="schedule-amount">
                  {entry.receiptHref ? (
                    <a
                      href={entry.receiptHref}
                      data-reload=""
                      aria-label={t`Receipt (PDF): ${entry.what}, ${entry.dayText}`}
                    >
                      Receipt (PDF)
                    </a>
                  ) : null}
                  <span>{entry.amountText}</span>
                </span>
              </ScheduleLine>
            ))}
          </Lines>
        ) : (
          <p>Nothing so far.</p>
        )}
      </section>
    </div>
  );
}

/** Card payment on the provider's page. These forms lead there, so they are not soft navigations. */
function Cards({ provider, card, next, notice, hasLater }: NonNullable<PaymentsProps['cards']>) {
  return (
    <section className="stack-small" aria-labelledby="card-heading">
      <h2 id="card-heading">Pay by card</h2>
      {notice ? (
        <Notice tone="warning">
          <p>{notice}</p>
        </Notice>
      ) : null}
      {next ? (
        <form className="stack-small" method="post" action={PATH}>
          <input type="hidden" name="action" value="pay" />
          <input type="hidden" name="line" value={next.line} />
          {hasLater && !card ? (
            <CheckboxField name="saveCard" label="Charge my later payments to this card when they are due" />
          ) : null}
          <p className="hint">
            You enter your card details on a {provider} page. We never see the card number.
          </p>
          <div>
            <Button type="submit">
              Pay {next.amountText} by card
              <span className="visually-hidden"> ({next.label})</span>
            </Button>
          </div>
        </form>
      ) : null}
      {card ? (
        <form className="stack-small" method="post" action={PATH}>
          <p>
            Saved card: <strong>{card}</strong>. We will charge it when a payment is due, and let you know.
          </p>
          <div className="row">
            <Button type="submit" name="action" value="card" variant="secondary">
              Use another card
            </Button>
            <Button type="submit" name="action" value="forget" variant="secondary">
              Remove the card
            </Button>
          </div>
        </form>
      ) : hasLater ? (
        <form method="post" action={PATH}>
          <Button type="submit" name="action" value="card" variant="secondary">
            Save a card for later payments
          </Button>
        </form>
      ) : null}
    </section>
  );
}
