import { useMemo, useState } from 'react';
import type { FormEvent } from 'react';
import type { ResetPasswordProps, Shared } from '../../api/page.gen';
import { resetPassword } from '../../api/session';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { TextField } from '../../ui/field';
import { NewPasswordFields, repeatError } from '../../ui/password-field';

interface ResetPasswordPageProps extends ResetPasswordProps {
  shared: Shared;
  /** Whether this answers the form, rather than being the target of the link. */
  isPosted: boolean;
}

/** Sets a new password with the token of the mailed link, or with a code typed in if there is none. */
export function ResetPasswordPage({ shared, token, done, isPosted, ...initial }: ResetPasswordPageProps) {
  const [cameWith] = useState<Omit<ResetPasswordProps, 'token'>>({ ...initial, done });
  const [form, setForm] = useState(cameWith);
  const [busy, setBusy] = useState(false);
  const errors = useMemo(() => summaryErrors(form), [form]);
  // A refused token is shown, so that it can be corrected.
  const showsCode = token === '' || form.errors['token'] !== undefined;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const typed = new FormData(event.currentTarget);
    const mismatch = repeatError(typed);
    if (mismatch) return setForm({ values: {}, errors: mismatch, done: false });
    setBusy(true);
    const result = await resetPassword(String(typed.get('token')).trim(), String(typed.get('password')));
    setBusy(false);
    if (result.ok) return setForm({ values: {}, errors: {}, message: result.message, done: true });
    return setForm({ values: {}, errors: result.fields ?? {}, error: result.error, done: false });
  }

  if (form.done) {
    return (
      <div className="narrow stack" role="status">
        <h1>Your new password is set</h1>
        {form.message ? <p>{form.message}</p> : null}
        <ButtonLink href={`/${shared.program}/apply?dialog=login`}>Log in</ButtonLink>
      </div>
    );
  }

  return (
    <div className="narrow stack">
      <h1>Choose a new password</h1>
      <p>Setting it logs you out everywhere else.</p>
      <form method="post" action="/reset-password" noValidate onSubmit={(event) => void submit(event)}>
        {/* An expired link is reported when the page loads, before the user has done anything. */}
        <ErrorSummary errors={errors} quiet={form === cameWith && !isPosted} />
        {showsCode ? (
          <TextField
            label="Code"
            name="token"
            hint="It is in the email that we sent you. It works once, for 30 minutes."
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
          <Button busy={busy}>{busy ? t('Submitting...') : t('Set new password')}</Button>
          <a href={`/${shared.program}/apply?dialog=forgot`}>Ask for a new link</a>
        </div>
      </form>
    </div>
  );
}
