import type { ReactNode } from 'react';
import type { DashboardProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { LoudRoot } from '../../theme/parts/loud-disclosure';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { SelectField, TextArea } from '../../ui/field';

type Decision = NonNullable<DashboardProps['decision']>;
type CameBack = DashboardProps['form'];
type Known = NonNullable<NonNullable<DashboardProps['application']>['known']>;

interface DecisionSectionProps {
  decision: Decision;
  known: Known;
  form: CameBack;
}

/** The decision, and what the applicant can do about it. */
export function DecisionSection({ decision, known, form }: DecisionSectionProps) {
  const { title, text, conditions, decidedText, offer, deferral, canApplyAgain } = decision;
  return (
    <section className="decision" id="decision" aria-labelledby="decision-heading" tabIndex={-1}>
      <p className="eyebrow">{decidedText ? t`Our decision of ${decidedText}` : t('Our decision')}</p>
      <h2 id="decision-heading">{title}</h2>
      <p>{text}</p>
      {conditions.length > 0 ? (
        <ul>
          {conditions.map((condition) => (
            <li key={condition}>{condition}</li>
          ))}
        </ul>
      ) : null}
      <ButtonLink variant="secondary" href="/dashboard/letter">
        Read the letter
      </ButtonLink>
      {offer ? <Reply offer={offer} known={known} form={form} /> : null}
      {deferral ? <Deferral deferral={deferral} known={known} form={form} /> : null}
      {canApplyAgain ? (
        <Act
          known={known}
          action="apply-again"
          summary="Apply again"
          button="Close this application and apply again"
        >
          <p>
            This application will be closed and kept among your past applications. You can then start a new
            one, for either program.
          </p>
        </Act>
      ) : null}
    </section>
  );
}

type WithKnown = Pick<DecisionSectionProps, 'known' | 'form'>;

function Reply({ offer, known, form }: WithKnown & { offer: NonNullable<Decision['offer']> }) {
  return (
    <div className="reply">
      <h3>Your reply</h3>
      <Act
        known={known}
        action="accept-offer"
        group="reply"
        summary="Accept the offer"
        button="Yes, accept the offer"
        loud
      >
        <p>You accept the place. We will then prepare your contract and go over the ways to pay with you.</p>
      </Act>
      <Act
        known={known}
        action="decline-offer"
        group="reply"
        summary="Decline the offer"
        button="Yes, decline the offer"
        open={form?.action === 'decline-offer'}
      >
        <p>
          You give up the place, and your application is closed. You can undo this for {offer.undoMinutes}{' '}
          minutes.
        </p>
        <Reason name="declineReason" label="Why are you declining? (optional)" form={form} />
      </Act>
    </div>
  );
}

function Deferral({ deferral, known, form }: WithKnown & { deferral: NonNullable<Decision['deferral']> }) {
  const chosen = form?.values['intake'];
  return (
    <>
      {deferral.asked ? <p className="small">{deferral.asked}</p> : null}
      {deferral.refused ? (
        <div className="refused">
          <p className="small">{deferral.refused.text}</p>
          <blockquote>{deferral.refused.reason}</blockquote>
        </div>
      ) : null}
      {deferral.intakes.length > 0 ? (
        <Act
          known={known}
          action="ask-deferral"
          summary={deferral.asked ? t('Ask for a different start date') : t('Ask to start later')}
          button="Ask for a later start"
          open={form?.action === 'ask-deferral'}
        >
          <p>
            You can start up to 24 months later. We will look at your request and answer within ten business
            days. Until then nothing changes, and the deadline to reply stays the same.
          </p>
          <SelectField
            name="intake"
            label="When would you like to start?"
            options={[{ value: '', label: t('Choose an intake') }, ...deferral.intakes]}
            defaultValue={typeof chosen === 'string' ? chosen : ''}
            error={form?.errors['intake']}
          />
          <Reason name="deferralReason" label="Why? (optional)" form={form} />
        </Act>
      ) : null}
    </>
  );
}

interface ReasonProps {
  name: string;
  label: string;
  hint?: string;
  required?: boolean;
  form: CameBack;
}

function Reason({ name, label, hint, required = false, form }: ReasonProps) {
  const typed = form?.values[name];
  return (
    <TextArea
      name={name}
      label={label}
      hint={hint}
      rows={3}
      maxLength={1000}
      required={required}
      defaultValue={typeof typed === 'string' ? typed : ''}
      error={form?.errors[name]}
    />
  );
}

interface ActProps {
  known: Known;
  action: string;
  summary: string;
  button: string;
  open?: boolean | undefined;
  /** Of those with the same group name, only one is open at a time. */
  group?: string;
  loud?: boolean;
  children: ReactNode;
}

/** An action in two steps: an explanation, then the button. */
function Act({ known, action, summary, button, open, group, loud = false, children }: ActProps) {
  return (
    <Disclosure
      root={loud ? LoudRoot : undefined}
      className={loud ? 'act act-loud' : 'act'}
      name={group}
      open={open}
      summary={summary}
    >
      <form method="post" action="/dashboard" noValidate>
        <input type="hidden" name="revision" value={known.revision} />
        <input type="hidden" name="key" value={known.idempotencyKey} />
        {children}
        <Button variant={loud ? 'primary' : 'secondary'} name="_action" value={action}>
          {button}
        </Button>
      </form>
    </Disclosure>
  );
}

/** A draft that was never submitted is deleted instead of withdrawn. */
export function DraftDeletion({ known }: { known: Known }) {
  return (
    <Act known={known} action="delete-draft" summary="Delete this draft" button="Delete it for good">
      <p>This deletes your answers and the files that you sent. It cannot be undone.</p>
    </Act>
  );
}

/** Withdraws an application that no longer has its own page, also one that waits for a place. */
export function Withdrawal({ known, form, waits }: WithKnown & { waits: boolean }) {
  const act = waits ? t('Leave the waitlist') : t('Withdraw your application');
  return (
    <Act known={known} action="withdraw" summary={act} button={act} open={form?.action === 'withdraw'}>
      {waits ? (
        <p>
          Your application will be withdrawn: we will not offer you a place, and you can start a new
          application. If you undo this within 15 minutes, you will be back where you were in line.
        </p>
      ) : (
        <p>
          We will then stop working on it, and you can start another one. You can undo this for 15 minutes.
        </p>
      )}
      <Reason
        name="withdrawReason"
        label={waits ? t('Why are you leaving the waitlist?') : t('Why are you withdrawing?')}
        hint="A few words help us to do better."
        required
        form={form}
      />
    </Act>
  );
}
