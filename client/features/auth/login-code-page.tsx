import { useMemo } from 'react';
import type { LoginCodeProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { PasskeyButton } from '../../ui/passkey-button';

/** The second step of a login. */
export function LoginCodePage({
  redirect,
  restartHref,
  contactEmail,
  authenticatorApp,
  passkey,
  form,
}: LoginCodeProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <h1>One more step</h1>
      <ErrorSummary errors={errors} />
      {passkey ? (
        <form method="post" action="/login/code">
          <input type="hidden" name="redirect" value={redirect} />
          <PasskeyButton passkey={passkey}>Use a passkey</PasskeyButton>
        </form>
      ) : null}
      <form className="stack" method="post" action="/login/code" noValidate>
        <input type="hidden" name="redirect" value={redirect} />
        <CodeField error={form.errors['code']} authenticatorApp={authenticatorApp} />
        <div className="form-actions">
          <Button variant={passkey ? 'secondary' : 'primary'}>Log in</Button>
          <ButtonLink variant="quiet" href={restartHref}>
            Start again
          </ButtonLink>
        </div>
      </form>
      <p className="hint">
        Cannot use any of these? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
      </p>
    </div>
  );
}
