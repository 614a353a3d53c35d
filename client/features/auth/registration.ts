import type { ProgramPath } from '../../api/page.gen';
import { internationalPhone } from '../../api/phone';
import type { Registration } from '../../api/session';

/** Returns what the registration form sends to the API. */
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
    // Outside the United States the select is hidden, but a form still submits it.
    ...(country === 'US' ? { state: text('state') } : {}),
    applicationType: program === 'masters' ? 'msc' : 'ba',
  };
}
