import { describe, expect, it } from 'vitest';
import { registrationOf } from './registration';

const typed = {
  firstName: 'Ada',
  lastName: 'Byron',
  dateOfBirth: '1990-12-10',
  country: 'US',
  phoneNumber: '(202) 555-0143',
  state: 'VA',
  email: 'ada@example.com',
  password: 'a long enough one',
  passwordRepeat: 'a long enough one',
};

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

describe('registrationOf', () => {
  it('sends the fields of the seed and the program', () => {
    expect(registrationOf(form(typed), 'masters')).toEqual({
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      password: 'a long enough one',
      dateOfBirth: '1990-12-10',
      phoneNumber: '+12025550143',
      country: 'US',
      state: 'VA',
      applicationType: 'msc',
    });
  });

  it('sends no state outside the United States', () => {
    expect(registrationOf(form({ ...typed, country: 'FR' }), 'bachelor')).not.toHaveProperty('state');
  });
});
