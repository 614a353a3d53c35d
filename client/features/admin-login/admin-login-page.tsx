import { useMemo } from 'react';
import type { AdminLoginProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { emailInput, TextField } from '../../ui/field';
import { PasskeyButton } from '../../ui/passkey-button';
import { PasswordField } from '../../ui/password-field';

/** The staff login. Staff and applicants have separate accounts, so there is no registration here. */
export function AdminLoginPage(form: AdminLoginProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  if (form.step === 'code') {
    return (
      <div className="narrow stack">
        <h1>One more step</h1>
        <ErrorSummary errors={errors} />
        {form.passkey ? (
          <form method="post" action="/admin-panel/login">
            <PasskeyButton passkey={form.passkey} name="_action" value="code">
              Use a passkey
            </PasskeyButton>
          </form>
        ) : null}
        <form className="stack" method="post" action="/admin-panel/login" noValidate>
          <CodeField error={form.errors['code']} authenticatorApp={form.authenticatorApp} />
          <div className="form-actions">
            <Button variant={form.passkey ? 'secondary' : 'primary'} name="_action" value="code">
              Log in
            </Button>
            <Button variant="quiet" name="_action" value="restart">
              Start again
            </Button>
          </div>
        </form>
        <p className="hint">None of these at hand? An Owner can remove your second factor.</p>
      </div>
    );
  }
  return (
    <div className="narrow stack">
      <h1>Admissions office</h1>
      <p>For staff. Accounts are given by invitation.</p>
      <form method="post" action="/admin-panel/login" noValidate>
        <ErrorSummary errors={errors} />
        <TextField
          {...emailInput}
          name="email"
          autoComplete="username"
          error={form.errors['email']}
          defaultValue={String(form.values['email'] ?? '')}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={form.errors['password']}
        />
        <div className="form-actions">
          <Button>Log in</Button>
          <ButtonLink variant="quiet" href="/admin-panel/forgot-password">
            Forgot your password?
          </ButtonLink>
        </div>
      </form>
      {form.passkey ? (
        <form method="post" action="/admin-panel/login">
          <PasskeyButton passkey={form.passkey} variant="secondary" name="_action" value="passkey">
            Log in with a passkey
          </PasskeyButton>
        </form>
      ) : null}
    </div>
  );
}
