import { existsSync } from 'node:fs';

/** Where distributions put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser the tests run in: `CHROMIUM`, or the system's. */
export function chromium(): string {
  const asked = process.env['CHROMIUM'];
  const found = asked ? [asked].find(existsSync) : PLACES.find(existsSync);
  if (!found) {
    throw new Error(
      asked
        ? `CHROMIUM names ${asked}, which is not there.`
        : 'The browser tests need Chromium: apt-get install chromium, or set CHROMIUM to where it is.',
    );
  }
  return found;
}
