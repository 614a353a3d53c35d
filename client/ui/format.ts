/** Formats a whole number in groups of three digits. */
export function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats integer cents as people write dollars: 120000 → "1,200", 120050 → "1,200.50". Without the currency sign. */
export function centsToText(cents: number): string {
  const amount = Math.abs(cents);
  const dollars = grouped(Math.floor(amount / 100));
  const rest = amount % 100;
  const sign = cents < 0 ? '-' : '';
  return rest === 0 ? `${sign}${dollars}` : `${sign}${dollars}.${String(rest).padStart(2, '0')}`;
}

/** Parses dollars as people type them ("$1,200.50", "1200.5") into integer cents; null if empty or not an amount. */
export function textToCents(text: string): number | null {
  const typed = text.replace(/[\s$]/g, '');
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{0,2}))?$/.exec(typed);
  if (!match) return null;
  const [, dollars = '', rest = ''] = match;
  const cents = Number(dollars.replaceAll(',', '')) * 100 + Number(rest.padEnd(2, '0'));
  return Number.isSafeInteger(cents) ? cents : null;
}
