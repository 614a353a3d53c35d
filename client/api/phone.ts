import { countries } from './countries.gen';
import { dialCodes } from './dial-codes.gen';

/**
 * A number as the server keeps it: one typed with its own `+` keeps its country, any other gets the first dial code of
 * `country`. The signs that people write between digits are left out; letters stay, so that the server can say what is
 * wrong.
 */
export function internationalPhone(country: string, typed: string): string {
  const digits = typed.replace(/[\s().\-/]/g, '');
  if (digits === '' || digits.startsWith('+')) return digits;
  return `+${dialCodes.get(country) ?? ''}${digits}`;
}

/**
 * The country that a number with a `+` belongs to, where it is none of `country`: of the longest dial code that it begins
 * with. Null where they agree, or nobody can say.
 */
export function countryOfNumber(
  typed: string,
  country: string,
): { code: string; name: string; dial: string } | null {
  const digits = typed
    .trim()
    .replace(/^00/, '+')
    .replace(/[\s().\-/]/g, '');
  if (!digits.startsWith('+')) return null;
  const fitting = countries
    .map(({ code, name }) => ({ code, name, dial: dialCodes.get(code) ?? '' }))
    .filter(({ dial }) => digits.startsWith(`+${dial}`));
  if (fitting.some(({ code }) => code === country)) return null;
  return fitting.toSorted((one, other) => other.dial.length - one.dial.length)[0] ?? null;
}
