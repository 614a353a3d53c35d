import { dialCodes } from './dial-codes.gen';

/**
 * Returns a number as the server stores it: one typed with its own `+` or `00` keeps its country, any other gets the
 * first dial code of `country`. Separators that people type between digits are removed; letters stay, so that the
 * server can report what is wrong.
 */
export function internationalPhone(country: string, typed: string): string {
  const digits = typed.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  if (digits === '' || digits.startsWith('+')) return digits;
  return `+${dialCodes.get(country)?.[0] ?? ''}${digits}`;
}

/** Returns the dial code of `country` if the number begins with another one; otherwise null. */
export function missingDialCode(country: string, typed: string): string | null {
  const codes = dialCodes.get(country);
  const number = internationalPhone(country, typed);
  if (!codes || !/^\+\d{4,15}$/.test(number)) return null;
  return codes.some((code) => number.startsWith(`+${code}`)) ? null : codes[0]!;
}
