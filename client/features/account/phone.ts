import { countries } from '../../api/countries.gen';

/**
 * The number as it is stored: one typed with its own `+` keeps its country, any other gets the dial code of `country`.
 * The signs that people write between digits are left out.
 */
export function fullPhoneNumber(country: string, typed: string): string {
  const digits = typed.replace(/[\s().\-/]/g, '');
  if (digits === '' || digits.startsWith('+')) return digits;
  const dial = countries.find(({ code }) => code === country)?.dial ?? '';
  return `+${dial}${digits}`;
}
