import { countries } from './countries.gen';

/**
 * A number as the server keeps it: one typed with its own `+` keeps its country, any other gets the first dial code of
 * `country`. The signs that people write between digits are left out; letters stay, so that the server can say what is
 * wrong.
 */
export function internationalPhone(country: string, typed: string): string {
  const digits = typed.replace(/[\s().\-/]/g, '');
  if (digits === '' || digits.startsWith('+')) return digits;
  const dial = countries.find(({ code }) => code === country)?.dial ?? '';
  return `+${dial}${digits}`;
}
