import { useMemo } from 'react';
import type { CloseAccountProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { CheckboxField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { PasswordField } from '../../ui/password-field';
import { FormOutcome } from '../../ui/form-outcome';

/** What closing the account means, and its final confirmation. */
export function CloseAccountPage(props: CloseAccountProps) {
  const { application, bound, retentionYears, keptUntil, contactEmail, done } = props;
  if (done) {
    return (
      <div className="narrow stack" role="status">
        <h1>Your account is closed</h1>
        <p>
          We have sent you one last email to confirm this. Your email is free: you can register with it again.
        </p>
        <ButtonLink href="/">Go to the programs</ButtonLink>
      </div>
    );
  }
  const contact = <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;
  if (bound) {
    return (
      <div className="narrow stack">
        <BackLink href="/dashboard/account">Your account</BackLink>
        <h1>Close your account</h1>
        <Notice tone="warning" title="Your account cannot be closed here">
          <p>
            You have accepted our offer, and your account holds your contract and the records of your studies.
            Write to {contact} if you want to leave.
          </p>
        </Notice>
      </div>
    );
  }
  return (
    <div className="narrow stack">
      <BackLink href="/dashboard/account">Your account</BackLink>
      <h1>Close your account</h1>
      <p>This cannot be undone. You may want to download your data first, on your account page.</p>
      <dl className="facts-list">
        {application ? (
          <div>
            <dt>Withdrawn</dt>
            <dd>Your application for the {application}.</dd>
          </div>
        ) : null}
        <div>
          <dt>Deleted right away</dt>
          <dd>
            Your email, phone number and password, your messages, drafts that were never submitted, every
            login.
          </dd>
        </div>
        <div>
          <dt>Kept</dt>
          <dd>
            Applications that you submitted, with your name and date of birth, until {keptUntil}: by law we
            keep admission records for {retentionYears} years. If you submitted none, all that is left is the
            record of what was done, without your name.
          </dd>
        </div>
      </dl>
      <Form {...props} />
    </div>
  );
}

function Form({ email, form }: CloseAccountProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <form method="post" action="/dashboard/account/close" noValidate>
      <FormOutcome errors={errors} message={form.message} />
      <CheckboxField
        name="confirm"
        value="yes"
        label={
          <>
            Close the account of <strong>{email}</strong>. I know that this cannot be undone.
          </>
        }
        error={form.errors['confirm']}
        defaultChecked={form.values['confirm'] === 'yes'}
      />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        error={form.errors['currentPassword']}
      />
      <div className="form-actions">
        <Button>Close my account</Button>
        <ButtonLink variant="quiet" href="/dashboard/account">
          Keep it
        </ButtonLink>
      </div>
    </form>
  );
}
