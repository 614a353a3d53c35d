import { useState } from 'react';
import { countries } from '../api/countries.gen';
import { usualAges } from '../api/page.gen';
import type { FormState } from '../api/page.gen';
import { missingDialCode } from '../api/phone';
import { t } from '../api/texts';
import { stateOptions } from './country-options';
import { Doubt } from './doubt';
import { ChoiceInput, fieldId, SelectField, TextField } from './field';

/** Common props of a form's inputs, by name. */
export type FieldSource = (name: string) => {
  name: string;
  error: string | undefined;
  defaultValue: string;
};

/** Returns the age for a birthday like `2001-05-31` if it is unusual enough to ask about; otherwise null. */
function unusualAge(born: string, now = new Date()): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(born);
  if (!match) return null;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const hadBirthday = now.getMonth() + 1 > month || (now.getMonth() + 1 === month && now.getDate() >= day);
  const age = now.getFullYear() - year - (hadBirthday ? 0 : 1);
  return age >= 0 && (age < usualAges[0] || age > usualAges[1]) ? age : null;
}

interface QuestionProps {
  field: FieldSource;
  name: string;
  asks: FormState['asks'];
  children: string | null;
}

/**
 * A question shown while the user types; below a form that came back with the question as an error, the checkbox that
 * answers it.
 */
function Question({ field, name, asks, children }: QuestionProps) {
  const answer = asks?.[name];
  if (answer === undefined) return <Doubt>{children}</Doubt>;
  const { name: box, defaultValue } = field(`right.${name}`);
  return (
    <div className="doubt">
      <ChoiceInput
        type="checkbox"
        name={box}
        value={answer}
        defaultChecked={defaultValue === answer}
        label={t('Yes, that is right')}
        aria-describedby={`${fieldId(name)}-error`}
      />
    </div>
  );
}

interface PersonFieldsProps extends Pick<QuestionProps, 'field' | 'asks'> {
  autoFocus?: boolean;
}

/** Name and date of birth. */
export function PersonFields({ field, asks, autoFocus }: PersonFieldsProps) {
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
        below={
          <Question field={field} name="dateOfBirth" asks={asks}>
            {age === null ? null : t`You would be ${age} now. Check the year.`}
          </Question>
        }
      />
    </>
  );
}

interface PlaceFieldsProps extends Pick<QuestionProps, 'field' | 'asks'> {
  countryLabel: string;
  countryOptions: { value: string; label: string }[];
  phoneHint: string;
  phoneAutoComplete: 'tel' | 'tel-national';
}

/** Country, phone number, and the state for those who live in the United States. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { field, asks, countryLabel, countryOptions, phoneHint, phoneAutoComplete } = props;
  const country = field('country');
  const phone = field('phoneNumber');
  const state = field('state');
  const [chosen, setChosen] = useState(country.defaultValue || 'US');
  // Choosing another country clears the state, and choosing the United States again does not restore it.
  const [leavings, setLeavings] = useState(0);
  const [number, setNumber] = useState(phone.defaultValue);
  const dial = missingDialCode(chosen, number);
  const name = countries.find(({ code }) => code === chosen)?.name ?? chosen;

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
          <Question field={field} name="phoneNumber" asks={asks}>
            {dial && t`This number does not begin with +${dial}. Is ${name} your country?`}
          </Question>
        }
      />
      <SelectField
        // A new key resets the select.
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
