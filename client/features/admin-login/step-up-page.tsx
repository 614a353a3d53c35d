import { useMemo } from 'react';
import type { AdminStepUpProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { PasskeyButton } from '../../ui/passkey-button';
import { PasswordField } from '../../ui/password-field';
import { PasswordOwner } from '../../ui/password-owner';

/** Asks for the password again, then continues the original request with the form carried along. */
export function StepUpPage({
  idle,
  needsCode,
  authenticatorApp,
  passkey,
  email,
  to,
  fields,
  form,
}: AdminStepUpProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <h1>Enter your password again</h1>
      <p>
        {idle
          ? 'Nothing was done here for a while. Then you go on where you were.'
          : 'What you are about to do is important, so we make sure that it is you. It is asked once in five minutes.'}
        {fields ? ' What you sent is kept, and done right after.' : null}
      </p>
      <form method="post" action="/admin-panel/step-up" noValidate>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="_to" value={to} />
        {fields ? <input type="hidden" name="_method" value="post" /> : null}
        {fields?.map((field) => (
          <input key={field.name} type="hidden" name={field.name} value={field.value} />
        ))}
        <PasswordOwner email={email} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={form.errors['password']}
        />
        {needsCode ? <CodeField error={form.errors['code']} authenticatorApp={authenticatorApp} /> : null}
        <div className="form-actions">
          <Button>Resume</Button>
          <ButtonLink variant="quiet" href="/admin-panel">
            Cancel
          </ButtonLink>
        </div>
        {passkey ? (
          <PasskeyButton passkey={passkey} variant="secondary">
            Use a passkey instead
          </PasskeyButton>
        ) : null}
      </form>
      <p className="hint">You are logged in as {email}.</p>
    </div>
  );
}
