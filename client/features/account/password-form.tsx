import type { FormEvent } from 'react';
import { changePassword } from '../../api/account';
import type { FormState } from '../../api/page';
import { Button } from '../../ui/button';
import { ErrorSummary } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { PasswordField } from '../../ui/password-field';
import { takeOver, useAccountForm } from './use-account-form';

interface PasswordFormProps {
  email: string;
  came: FormState;
  onChanged: () => void;
}

export function PasswordForm({ email, came, onChanged }: PasswordFormProps) {
  const { form, errors, busy, fail, run } = useAccountForm(came);
  const field = (name: string) => ({ name, error: form.errors[name] });

  async function submit(event: FormEvent<HTMLFormElement>) {
    const element = event.currentTarget;
    const text = takeOver(event);
    if (text('password') !== text('passwordRepeat')) {
      fail({ passwordRepeat: 'Passwords do not match' });
      return;
    }
    const changed = await run(
      () => changePassword(text('currentPassword'), text('password')),
      'Your password is changed. Your other sessions have ended.',
    );
    if (!changed) return;
    element.reset();
    onChanged();
  }

  return (
    <form method="post" action="/dashboard/account" noValidate onSubmit={(event) => void submit(event)}>
      <ErrorSummary errors={errors} />
      {form.message ? (
        <Notice tone="success" role="status">
          <p>{form.message}</p>
        </Notice>
      ) : null}
      {/* Tells password managers whose password it is. */}
      <div className="visually-hidden" aria-hidden="true">
        <input type="email" autoComplete="username" value={email} readOnly tabIndex={-1} />
      </div>
      <PasswordField label="Current password" autoComplete="current-password" {...field('currentPassword')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 10 characters. A few words in a row work well."
        {...field('password')}
      />
      <PasswordField label="Repeat password" autoComplete="new-password" {...field('passwordRepeat')} />
      <div className="form-actions">
        <Button name="_action" value="password" busy={busy}>
          {busy ? 'Saving…' : 'Change password'}
        </Button>
      </div>
    </form>
  );
}
