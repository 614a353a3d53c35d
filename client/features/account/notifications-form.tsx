import { useState } from 'react';
import { updateProfile } from '../../api/account';
import type { FormState } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { FormOutcome } from '../../ui/form-outcome';
import { SwitchField } from '../../ui/switch-field';
import { useHydrated } from '../../ui/use-hydrated';
import { useAccountForm } from './use-account-form';

/** Which mails the applicant wants besides the necessary ones. */
export function NotificationsForm({ reminders, came }: { reminders: boolean; came: FormState }) {
  const { form, errors, busy, run } = useAccountForm(came);
  const [isOn, setOn] = useState(reminders);
  const isHydrated = useHydrated();

  async function choose(wanted: boolean) {
    if (busy) return;
    setOn(wanted);
    const isSaved = await run(() => updateProfile({ reminders: wanted }), t('Your choice is saved.'));
    if (!isSaved) setOn(!wanted);
  }

  return (
    <form method="post" action="/dashboard/account" noValidate>
      <FormOutcome errors={errors} message={form.message} />
      <SwitchField
        name="reminders"
        value="yes"
        label={t(
          'Email me reminders of my interview, of replies that are due, and of the start of my studies',
        )}
        checked={isOn}
        onChange={(wanted) => void choose(wanted)}
      />
      {isHydrated ? null : (
        <div className="form-actions">
          <Button variant="secondary" name="_action" value="notifications">
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
