import type { FormEvent } from 'react';
import { updateProfile } from '../../api/account';
import type { FormState } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { CheckboxField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { useAccountForm } from './use-account-form';

/** Which mails the applicant wants beside those that are needed. */
export function NotificationsForm({ reminders, came }: { reminders: boolean; came: FormState }) {
  const { form, errors, busy, run } = useAccountForm(came);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const wanted = new FormData(event.currentTarget).get('reminders') === 'yes';
    await run(() => updateProfile({ reminders: wanted }), t('Your choice is saved.'));
  }

  return (
    <form method="post" action="/dashboard/account" noValidate onSubmit={(event) => void submit(event)}>
      <FormOutcome errors={errors} message={form.message} />
      <CheckboxField
        name="reminders"
        value="yes"
        label="Remind me by email of my interview, of a reply that is due and of the start of studies"
        defaultChecked={reminders}
      />
      <div className="form-actions">
        <Button variant="secondary" name="_action" value="notifications" busy={busy}>
          {busy ? t('Saving…') : t('Save')}
        </Button>
      </div>
    </form>
  );
}
