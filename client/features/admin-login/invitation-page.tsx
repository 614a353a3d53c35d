import { useMemo } from 'react';
import type { AdminInvitationProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { TextField } from '../../ui/field';
import { NewPasswordFields } from '../../ui/password-field';
import { PasswordOwner } from '../../ui/password-owner';

/** Target of an invitation link: a name and a password create the account. */
export function InvitationPage({ token, invited, ...form }: AdminInvitationProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  if (!invited) {
    return (
      <div className="narrow stack">
        <h1>This invitation is no longer valid</h1>
        <p>
          It works for seven days and once, and only the newest link works. Ask whoever invited you to send it
          again. If you have taken it already, log in.
        </p>
        <ButtonLink href="/admin-panel/login">Log in</ButtonLink>
      </div>
    );
  }
  const field = (name: string) => ({ name, error: form.errors[name] });
  return (
    <div className="narrow stack">
      <h1>Welcome to the admissions office</h1>
      <p>
        You are invited as <strong>{invited.role}</strong>. {invited.purpose}
      </p>
      <form method="post" action="/admin-panel/invitation" noValidate>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="token" value={token} />
        <p>
          You will log in with <strong>{invited.email}</strong>.
        </p>
        <PasswordOwner email={invited.email} />
        <TextField
          label="Your name"
          hint="As your colleagues should read it."
          autoComplete="name"
          required
          defaultValue={String(form.values['name'] ?? '')}
          {...field('name')}
        />
        <NewPasswordFields label="Password" field={field} />
        <div className="form-actions">
          <Button>Take the invitation</Button>
        </div>
      </form>
    </div>
  );
}
