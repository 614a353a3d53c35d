import { describe, expect, it } from 'vitest';
import { summaryErrors } from './error-summary';

describe('summaryErrors', () => {
  it('lists the fields, which say more than the form', () => {
    expect(summaryErrors({ errors: { email: 'Email is required.' }, error: 'Please check.' })).toEqual([
      { name: 'email', message: 'Email is required.' },
    ]);
  });

  it('lists the error of the form where no field has one', () => {
    expect(summaryErrors({ errors: {}, error: 'Email or password is incorrect.' })).toEqual([
      { name: '', message: 'Email or password is incorrect.' },
    ]);
  });

  it('is empty for a form without errors', () => {
    expect(summaryErrors({ errors: {} })).toEqual([]);
  });
});
