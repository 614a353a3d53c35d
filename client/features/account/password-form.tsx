import type { FormEvent } from 'react';
import { changePassword } from '../../api/account';
import type { FormState } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { NewPasswordFields, PasswordField, repeatError } from '../../ui/password-field';
import { PasswordOwner } from '../../ui/password-owner';
import { FormOutcome } from '../../ui/form-outcome';
import { useAccountForm } from './use-account-form';

interface PasswordFormProps {
  email: string;
  came: FormState;
  onChanged: () => void;
}

export function PasswordForm({ email, came, onChanged }: PasswordFormProps) {
  const { form, errors, busy, fail, run } = useAccountForm(came);
  const field = (name: string) => ({ name, error: form.errors[name] });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const typed = new FormData(element);
    const mismatch = repeatError(typed);
    if (mismatch) return fail(mismatch);
    const changed = await run(
      () => changePassword(String(typed.get('currentPassword')), String(typed.get('password'))),
      t('Your password has been changed. Your other sessions have ended.'),
    );
    if (!changed) return;
    element.reset();
    onChanged();
  }

  return (
    <form method="post" action="/dashboard/account" noValidate onSubmit={(event) => void submit(event)}>
      <FormOutcome errors={errors} message={form.message} />
      <PasswordOwner email={email} />
      <PasswordField label="Current password" autoComplete="current-password" {...field('currentPassword')} />
      <NewPasswordFields label="New password" field={field} />
      <div className="form-actions">
        <Button name="_action" value="password" busy={busy}>
          {busy ? t('Saving…') : t('Change password')}
        </Button>
      </div>
    </form>
  );
}
