import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { ChangeEmailProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Line, Lines } from '../../theme/parts/lines';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { emailInput, TextField } from '../../ui/field';
import { PasswordField } from '../../ui/password-field';
import { Tag } from '../../ui/tag';
import { FormOutcome } from '../../ui/form-outcome';

/** Requests another e-mail address for the account, and shows the change that awaits confirmation. */
export function ChangeEmailPage({ email, confirmed, pending, ...form }: ChangeEmailProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <BackLink href="/dashboard/account">Your account</BackLink>
      <h1>Change your email</h1>
      {pending ? (
        <Pending {...pending} old={email} next={pending.email}>
          <FormOutcome errors={errors} message={form.message} />
        </Pending>
      ) : (
        <form className="stack" method="post" action="/dashboard/account/email" noValidate>
          <FormOutcome errors={errors} message={form.message} />
          {confirmed ? (
            <p>
              You log in with <strong>{email}</strong>, and we write to you there. We will send a link to this
              address and to the new one. Your email will change when both have confirmed it.
            </p>
          ) : (
            <p>
              You log in with <strong>{email}</strong>, which is not confirmed yet. We will send a link to the
              new address only. Your email will change when you open it and confirm.
            </p>
          )}
          <TextField
            {...emailInput}
            label="New email"
            name="email"
            autoComplete="email"
            error={form.errors['email']}
            defaultValue={String(form.values['email'] ?? '')}
          />
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            error={form.errors['currentPassword']}
          />
          <div className="form-actions">
            <Button name="_action" value="ask">
              Send the links
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}

type PendingChange = NonNullable<ChangeEmailProps['pending']>;

interface PendingProps extends Omit<PendingChange, 'email'> {
  old: string;
  next: string;
  children: ReactNode;
}

function Pending({ old, next, oldConfirmed, newConfirmed, untilText, children }: PendingProps) {
  return (
    <form className="stack" method="post" action="/dashboard/account/email">
      {children}
      {oldConfirmed === null ? (
        <p>
          Your email will change to <strong>{next}</strong> when this address has confirmed it, by {untilText}
          . Until then, everything stays as it is.
        </p>
      ) : (
        <p>
          Your email will change to <strong>{next}</strong> when both addresses have confirmed it, by{' '}
          {untilText}. Until then, everything stays as it is.
        </p>
      )}
      <Lines className="confirmations ruled">
        {oldConfirmed === null ? null : <Confirmation address={old} confirmed={oldConfirmed} />}
        <Confirmation address={next} confirmed={newConfirmed} />
      </Lines>
      <p className="hint">Nothing arrived? Check your spam folder, or have us send the link again.</p>
      <div className="form-actions">
        <Button variant="secondary" name="_action" value="resend">
          Send the links again
        </Button>
        <Button variant="quiet" name="_action" value="cancel">
          Cancel the change
        </Button>
      </div>
    </form>
  );
}

function Confirmation({ address, confirmed }: { address: string; confirmed: boolean }) {
  return (
    <Line>
      <strong>{address}</strong>
      <Tag shape={confirmed ? 'check' : 'clock'}>{confirmed ? t('Confirmed') : t('Not confirmed yet')}</Tag>
    </Line>
  );
}
