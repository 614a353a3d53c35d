import { useState } from 'react';
import { countryOfNumber } from '../api/phone';
import { t } from '../api/texts';
import { stateOptions } from './country-options';
import { Doubt } from './doubt';
import { SelectField, TextField } from './field';

/** What the inputs of a form have in common, by name. */
export type FieldSource = (name: string) => {
  name: string;
  error: string | undefined;
  defaultValue: string;
};

/** Younger and older applicants than these have most likely mistyped a year. */
const AGES = [14, 110] as const;

/** The age of somebody born on a day like `2001-05-31`, where it is one to ask about; else null. */
function unusualAge(born: string, now = new Date()): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(born);
  if (!match) return null;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const hadBirthday = now.getMonth() + 1 > month || (now.getMonth() + 1 === month && now.getDate() >= day);
  const age = now.getFullYear() - year - (hadBirthday ? 0 : 1);
  return age >= 0 && (age < AGES[0] || age > AGES[1]) ? age : null;
}

/** Name and date of birth. */
export function PersonFields({ field, autoFocus }: { field: FieldSource; autoFocus?: boolean }) {
  const birth = field('dateOfBirth');
  const [born, setBorn] = useState(birth.defaultValue);
  const age = unusualAge(born);
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
      <TextField
        label="Date of birth"
        type="date"
        autoComplete="bday"
        required
        {...birth}
        onChange={(event) => setBorn(event.currentTarget.value)}
        below={<Doubt>{age === null ? null : t`You would be ${age} now. Check the year.`}</Doubt>}
      />
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
  const phone = field('phoneNumber');
  const state = field('state');
  const [chosen, setChosen] = useState(country.defaultValue || 'US');
  // Leaving the United States clears the state, and coming back does not bring it back.
  const [leavings, setLeavings] = useState(0);
  const [number, setNumber] = useState(phone.defaultValue);
  const elsewhere = countryOfNumber(number, chosen);

  return (
    <>
      <SelectField
        label={countryLabel}
        autoComplete="country"
        required
        options={countryOptions}
        {...country}
        defaultValue={country.defaultValue || 'US'}
        onChange={({ currentTarget: { value } }) => {
          if (chosen === 'US' && value !== 'US') setLeavings(leavings + 1);
          setChosen(value);
        }}
      />
      <TextField
        label="Phone number"
        type="tel"
        autoComplete={phoneAutoComplete}
        hint={phoneHint}
        required
        {...phone}
        onChange={(event) => setNumber(event.currentTarget.value)}
        below={
          <Doubt>
            {elsewhere
              ? t`This number begins with +${elsewhere.dial}. Is your country ${elsewhere.name}?`
              : null}
          </Doubt>
        }
      />
      <SelectField
        // A new key is an empty select.
        key={leavings}
        className="field-state"
        label="State"
        hint="Only for the United States."
        autoComplete="address-level1"
        options={stateOptions}
        {...state}
        defaultValue={leavings > 0 || chosen !== 'US' ? '' : state.defaultValue}
      />
    </>
  );
}
