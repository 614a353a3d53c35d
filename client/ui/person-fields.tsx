import { useState } from 'react';
import { stateOptions } from './country-options';
import { SelectField, TextField } from './field';

/** What the inputs of a form have in common, by name. */
export type FieldSource = (name: string) => {
  name: string;
  error: string | undefined;
  defaultValue: string;
};

/** Name and date of birth. */
export function PersonFields({ field, autoFocus }: { field: FieldSource; autoFocus?: boolean }) {
  return (
    <>
      <div className="field-pair">
        <TextField
          label="First name"
          autoComplete="given-name"
          autoFocus={autoFocus}
          required
          {...field('firstName')}
        />
        <TextField label="Last name" autoComplete="family-name" required {...field('lastName')} />
      </div>
      <TextField label="Date of birth" type="date" autoComplete="bday" required {...field('dateOfBirth')} />
    </>
  );
}

interface PlaceFieldsProps {
  field: FieldSource;
  countryLabel: string;
  countryOptions: { value: string; label: string }[];
  phoneHint: string;
  phoneAutoComplete: 'tel' | 'tel-national';
}

/** Country, phone number, and the state of those who live in the United States. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { field, countryLabel, countryOptions, phoneHint, phoneAutoComplete } = props;
  const country = field('country');
  const [abroad, setAbroad] = useState(country.defaultValue !== '' && country.defaultValue !== 'US');
  const state = field('state');
  return (
    <>
      <SelectField
        label={countryLabel}
        autoComplete="country"
        required
        options={countryOptions}
        {...country}
        defaultValue={country.defaultValue || 'US'}
        onChange={(event) => setAbroad(event.currentTarget.value !== 'US')}
      />
      <TextField
        label="Phone number"
        type="tel"
        autoComplete={phoneAutoComplete}
        hint={phoneHint}
        required
        {...field('phoneNumber')}
      />
      {/* A new key is an empty select: leaving the United States clears the state. */}
      <SelectField
        key={abroad ? 'abroad' : 'us'}
        className="field-state"
        label="State"
        hint="Only for the United States."
        autoComplete="address-level1"
        options={stateOptions}
        {...state}
        defaultValue={abroad ? '' : state.defaultValue}
      />
    </>
  );
}
