import { useMemo } from 'react';
import type { AdminForgottenProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { emailInput, TextField } from '../../ui/field';
import { NewPasswordFields } from '../../ui/password-field';

/** Forgotten password: requests a link, and sets a new password with it. */
export function ForgottenPage({ step, token, ...form }: AdminForgottenProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  if (step === 'asked' || step === 'done') {
    return (
      <div className="narrow stack" role="status">
        <h1>{step === 'asked' ? 'Look into your mailbox' : 'Your new password is set'}</h1>
        <p>{form.message}</p>
        <ButtonLink href="/admin-panel/login">{step === 'asked' ? 'Back to the login' : 'Log in'}</ButtonLink>
      </div>
    );
  }
  if (step === 'choose') {
    return (
      <div className="narrow stack">
        <h1>Choose a new password</h1>
        <p>Setting it logs you out everywhere. If you have a second factor, you need it as before.</p>
        <form method="post" action="/admin-panel/reset-password" noValidate>
          <ErrorSummary errors={errors} />
          {token === '' || form.errors['token'] ? (
            <TextField
              label="Code"
              name="token"
              hint="It is the end of the link in the email. It works once, for 30 minutes."
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              required
              error={form.errors['token']}
              defaultValue={token}
            />
          ) : (
            <input type="hidden" name="token" value={token} />
          )}
          <NewPasswordFields label="New password" field={(name) => ({ name, error: form.errors[name] })} />
          <div className="form-actions">
            <Button>Set new password</Button>
            <ButtonLink variant="quiet" href="/admin-panel/forgot-password">
              Ask for a new link
            </ButtonLink>
          </div>
        </form>
      </div>
    );
  }
  return (
    <div className="narrow stack">
      <BackLink href="/admin-panel/login">Back to the login</BackLink>
      <h1>Forgot your password?</h1>
      <p>For staff. We mail you a link to set a new one; your second factor stays as it is.</p>
      <form method="post" action="/admin-panel/forgot-password" noValidate>
        <ErrorSummary errors={errors} />
        <TextField
          {...emailInput}
          name="email"
          autoComplete="username"
          error={form.errors['email']}
          defaultValue={String(form.values['email'] ?? '')}
        />
        <div className="form-actions">
          <Button>Send the link</Button>
        </div>
      </form>
    </div>
  );
}
