import { countries } from '../../api/countries.gen';
import type { ProgramPath } from '../../api/page';
import type { Registration } from '../../api/session';

/** `+`, the country's first dial code, then the digits as typed without the signs that people write between them. */
export function internationalPhone(country: string, typed: string): string {
  const dial = countries.find(({ code }) => code === country)?.dial ?? '';
  return `+${dial}${typed.replace(/[\s().\-/]/g, '')}`;
}

/** What the register form sends to the API. */
export function registrationOf(form: FormData, program: ProgramPath): Registration {
  const text = (name: string) => String(form.get(name) ?? '');
  const country = text('country');
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    password: text('password'),
    dateOfBirth: text('dateOfBirth'),
    phoneNumber: internationalPhone(country, text('phoneNumber')),
    country,
    // Outside the United States the select is hidden, but a form still carries it.
    ...(country === 'US' ? { state: text('state') } : {}),
    applicationType: program === 'masters' ? 'msc' : 'ba',
  };
}
