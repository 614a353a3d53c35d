import { useMemo } from 'react';
import type { AdminLoginProps, SignOnLink } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { emailInput, TextField } from '../../ui/field';
import { PasskeyButton } from '../../ui/passkey-button';
import { PasswordField } from '../../ui/password-field';

/** The staff login. Staff and applicants have separate accounts, so there is no registration here. */
export function AdminLoginPage(form: AdminLoginProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  if (form.step === 'done') {
    return (
      <div className="narrow stack">
        <h1>{form.to ? 'You are logged in' : 'You have confirmed'}</h1>
        {form.to ? (
          <ButtonLink href={form.to}>Go on</ButtonLink>
        ) : (
          <p>Go back to the other tab and press Resume. You can close this one.</p>
        )}
      </div>
    );
  }
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
      <ErrorSummary errors={errors} />
      {form.providers.length > 0 ? (
        <Providers providers={form.providers} />
      ) : (
        <p>For staff. Accounts are given by invitation.</p>
      )}
      <form method="post" action="/admin-panel/login" noValidate>
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
          <Button variant={form.providers.length > 0 ? 'secondary' : 'primary'}>Log in</Button>
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

/** Links to log in with the identity providers. The browser follows them: they lead to another site. */
function Providers({ providers }: { providers: SignOnLink[] }) {
  return (
    <>
      <p>For staff.</p>
      <div className="row">
        {providers.map(({ href, name }) => (
          <ButtonLink key={href} href={href} data-document>
            Log in with {name}
          </ButtonLink>
        ))}
      </div>
      <p>Or with a password:</p>
    </>
  );
}
