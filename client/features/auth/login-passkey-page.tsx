import { useMemo } from 'react';
import type { LoginPasskeyProps } from '../../api/page.gen';
import { ButtonLink } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { PasskeyButton } from '../../ui/passkey-button';

/** Login with only a passkey. */
export function LoginPasskeyPage({ redirect, loginHref, passkey, form }: LoginPasskeyProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <h1>Log in with a passkey</h1>
      <p>Your browser will ask for your fingerprint, your face, or your device’s PIN.</p>
      <noscript>
        <p>Passkeys need JavaScript. Without it, log in with your password.</p>
      </noscript>
      <form className="stack" method="post" action="/login/passkey" noValidate>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="redirect" value={redirect} />
        <PasskeyButton passkey={passkey}>Use a passkey</PasskeyButton>
      </form>
      <div>
        <ButtonLink variant="quiet" href={loginHref}>
          Log in with your password
        </ButtonLink>
      </div>
    </div>
  );
}
