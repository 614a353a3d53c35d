import { useState } from 'react';
import type { FormEvent } from 'react';
import { updateProfile } from '../../api/account';
import { countries } from '../../api/countries.gen';
import type { AccountProps, FormState } from '../../api/page';
import { usStates } from '../../api/us-states';
import { Button } from '../../ui/button';
import { ErrorSummary } from '../../ui/error-summary';
import { SelectField, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { fullPhoneNumber } from './phone';
import { takeOver, useAccountForm } from './use-account-form';

const countryOptions = countries.map(({ code, name }) => ({ value: code, label: name }));
const stateOptions = [
  { value: '', label: 'Choose a state' },
  ...usStates.map(({ code, name }) => ({ value: code, label: name })),
];

interface ProfileFormProps {
  profile: AccountProps['profile'];
  timeZones: string[];
  came: FormState;
}

export function ProfileForm({ profile, timeZones, came }: ProfileFormProps) {
  const { form, errors, busy, run, field } = useAccountForm(came);
  const country = field('country', profile.country);
  const [isAbroad, setIsAbroad] = useState(country.defaultValue !== 'US');

  async function submit(event: FormEvent<HTMLFormElement>) {
    const text = takeOver(event);
    const timeZone = text('timeZone');
    await run(
      () =>
        updateProfile({
          firstName: text('firstName'),
          lastName: text('lastName'),
          dateOfBirth: text('dateOfBirth'),
          phoneNumber: fullPhoneNumber(text('country'), text('phoneNumber')),
          country: text('country'),
          // Outside the United States the select is hidden, but a form still carries it.
          ...(text('country') === 'US' ? { state: text('state') } : {}),
          ...(timeZone === '' ? {} : { timeZone }),
        }),
      'Your profile is saved.',
    );
  }

  return (
    <form
      className="profile-form"
      method="post"
      action="/dashboard/account"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <ErrorSummary errors={errors} />
      {form.message ? (
        <Notice tone="success" role="status">
          <p>{form.message}</p>
        </Notice>
      ) : null}
      <div className="field-pair">
        <TextField label="First name" autoComplete="given-name" required {...field('firstName', profile.firstName)} />
        <TextField label="Last name" autoComplete="family-name" required {...field('lastName', profile.lastName)} />
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
        fieldClassName="profile-state"
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
          { value: '', label: 'Not chosen' },
          ...timeZones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
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
