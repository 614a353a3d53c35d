import type { FormEvent } from 'react';
import { updateProfile } from '../../api/account';
import type { AccountProps, FormState } from '../../api/page.gen';
import { internationalPhone } from '../../api/phone';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { countryOptions } from '../../ui/country-options';
import { PersonFields, PlaceFields } from '../../ui/person-fields';
import { TimeZoneField, zoneLabel } from '../../ui/time-zone-field';
import { FormOutcome } from '../../ui/form-outcome';
import { useAccountForm } from './use-account-form';

interface ProfileFormProps extends Pick<AccountProps, 'profile' | 'timeZones' | 'instituteTimeZone'> {
  came: FormState;
}

export function ProfileForm({ profile, timeZones, instituteTimeZone, came }: ProfileFormProps) {
  const { form, errors, busy, run, field } = useAccountForm(came);
  const stored = (name: string) => field(name, profile[name as keyof typeof profile] ?? '');

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? '');
    await run(
      () =>
        updateProfile({
          firstName: text('firstName'),
          lastName: text('lastName'),
          dateOfBirth: text('dateOfBirth'),
          phoneNumber: internationalPhone(text('country'), text('phoneNumber')),
          country: text('country'),
          // Outside the United States the select is hidden, but a form still submits it.
          ...(text('country') === 'US' ? { state: text('state') } : {}),
          timeZone: text('timeZone'),
        }),
      t('Your profile is saved.'),
    );
  }

  return (
    <form method="post" action="/dashboard/account" noValidate onSubmit={(event) => void submit(event)}>
      <FormOutcome errors={errors} message={form.message} />
      <PersonFields field={stored} asks={form.asks} />
      <PlaceFields
        asks={form.asks}
        countryLabel="Country"
        countryOptions={countryOptions}
        phoneHint="Without a + in front, it is taken as a number in your country."
        phoneAutoComplete="tel"
        field={stored}
      />
      <TimeZoneField
        label="Time zone"
        hint={t`For dates and times on these pages and in emails. Type a city near you. If you leave it empty, ${zoneLabel(instituteTimeZone)} is used.`}
        zones={timeZones}
        {...stored('timeZone')}
      />
      <div className="form-actions">
        <Button name="_action" value="profile" busy={busy}>
          {busy ? t('Saving…') : t('Save profile')}
        </Button>
      </div>
    </form>
  );
}
