import { useMemo } from 'react';
import type { AdminStepUpProps, SignOnLink } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { PasskeyButton } from '../../ui/passkey-button';
import { PasswordField } from '../../ui/password-field';
import { PasswordOwner } from '../../ui/password-owner';

/**
 * Asks for the password again, or for another proof, then continues the original request with the form carried along.
 */
export function StepUpPage({
  idle,
  needsCode,
  authenticatorApp,
  passkey,
  email,
  to,
  fields,
  provider,
  hasPassword,
  form,
}: AdminStepUpProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const providerLink = provider ? (
    <Provider {...provider} inNewTab={fields !== null} variant={hasPassword ? 'secondary' : 'primary'} />
  ) : null;
  return (
    <div className="narrow stack">
      <h1>{hasPassword ? 'Enter your password again' : 'Confirm that it is you'}</h1>
      <p>
        {idle
          ? 'Nothing was done here for a while. Then you go on where you were.'
          : 'What you are about to do is important, so we make sure that it is you. It is asked once in five minutes.'}
        {fields ? ' What you sent is kept, and done right after.' : null}
      </p>
      <form className="stack" method="post" action="/admin-panel/step-up" noValidate>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="_to" value={to} />
        {fields ? <input type="hidden" name="_method" value="post" /> : null}
        {fields?.map((field) => (
          <input key={field.name} type="hidden" name={field.name} value={field.value} />
        ))}
        {hasPassword ? (
          <>
            <PasswordOwner email={email} />
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              error={form.errors['password']}
            />
            {needsCode ? <CodeField error={form.errors['code']} authenticatorApp={authenticatorApp} /> : null}
          </>
        ) : (
          providerLink
        )}
        <div className="form-actions">
          {hasPassword ? <Button>Resume</Button> : null}
          {!hasPassword && fields ? <Button variant="secondary">Resume</Button> : null}
          <ButtonLink variant="quiet" href="/admin-panel">
            Cancel
          </ButtonLink>
        </div>
        {hasPassword ? providerLink : null}
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

interface ProviderProps extends SignOnLink {
  /** Keeps this page open, with the form that it carries along. */
  inNewTab: boolean;
  variant: 'primary' | 'secondary';
}

/** Link to confirm with the identity provider. The browser follows it: it leads to another site. */
function Provider({ href, name, inNewTab, variant }: ProviderProps) {
  if (!inNewTab) {
    return (
      <div>
        <ButtonLink variant={variant} href={href} data-document>
          Confirm with {name}
        </ButtonLink>
      </div>
    );
  }
  return (
    <div className="stack-small">
      <ButtonLink variant={variant} href={href} target="_blank" rel="noopener" data-document>
        Confirm with {name} (opens in a new tab)
      </ButtonLink>
      <p>After you have confirmed there, come back to this tab and press Resume.</p>
    </div>
  );
}
