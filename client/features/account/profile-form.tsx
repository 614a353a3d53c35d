import { useState } from 'react';
import type { FormEvent } from 'react';
import { updateProfile } from '../../api/account';
import type { AccountProps, FormState } from '../../api/page';
import { internationalPhone } from '../../api/phone';
import { Button } from '../../ui/button';
import { countryOptions, stateOptions } from '../../ui/country-options';
import { SelectField, TextField } from '../../ui/field';
import { FormOutcome } from './form-outcome';
import { useAccountForm } from './use-account-form';

interface ProfileFormProps extends Pick<AccountProps, 'profile' | 'timeZones' | 'instituteTimeZone'> {
  came: FormState;
}

export function ProfileForm({ profile, timeZones, instituteTimeZone, came }: ProfileFormProps) {
  const { form, errors, busy, run, field } = useAccountForm(came);
  const country = field('country', profile.country);
  const [isAbroad, setIsAbroad] = useState(country.defaultValue !== 'US');

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? '');
    const timeZone = text('timeZone');
    await run(
      () =>
        updateProfile({
          firstName: text('firstName'),
          lastName: text('lastName'),
          dateOfBirth: text('dateOfBirth'),
          phoneNumber: internationalPhone(text('country'), text('phoneNumber')),
          country: text('country'),
          // Outside the United States the select is hidden, but a form still carries it.
          ...(text('country') === 'US' ? { state: text('state') } : {}),
          ...(timeZone === '' ? {} : { timeZone }),
        }),
      'Your profile is saved.',
    );
  }

  return (
    <form method="post" action="/dashboard/account" noValidate onSubmit={(event) => void submit(event)}>
      <FormOutcome errors={errors} message={form.message} />
      <div className="field-pair">
        <TextField
          label="First name"
          autoComplete="given-name"
          required
          {...field('firstName', profile.firstName)}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          required
          {...field('lastName', profile.lastName)}
        />
      </div>
      <TextField
        label="Date of birth"
        type="date"
        autoComplete="bday"
        required
        {...field('dateOfBirth', profile.dateOfBirth)}
      />
      <SelectField
        label="Country"
        autoComplete="country"
        options={countryOptions}
        {...country}
        onChange={(event) => setIsAbroad(event.currentTarget.value !== 'US')}
      />
      {/* A new key is an empty select: leaving the United States clears the state. */}
      <SelectField
        key={isAbroad ? 'abroad' : 'us'}
        fieldClassName="field-state"
        label="State"
        hint="Only for the United States."
        autoComplete="address-level1"
        options={stateOptions}
        {...field('state', isAbroad ? '' : (profile.state ?? ''))}
      />
      <TextField
        label="Phone number"
        type="tel"
        autoComplete="tel"
        hint="Without a + in front, it is a number of your country."
        required
        {...field('phoneNumber', profile.phoneNumber)}
      />
      <SelectField
        label="Time zone"
        hint="For dates and times on these pages and in emails."
        options={[
          { value: '', label: `Not chosen (${zoneName(instituteTimeZone)})` },
          ...timeZones.map((zone) => ({ value: zone, label: zoneName(zone) })),
        ]}
        {...field('timeZone', profile.timeZone)}
      />
      <div className="form-actions">
        <Button name="_action" value="profile" busy={busy}>
          {busy ? 'Saving…' : 'Save profile'}
        </Button>
      </div>
    </form>
  );
}

function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ');
}
