// The browser of the tests, the benchmarks and the screenshots.
import { existsSync } from 'node:fs';
import { env } from 'node:process';

/** Where distributions install it. The headless shell is the same engine without windows, and takes half the time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Returns `CHROMIUM` or the system's; undefined if there is none. */
export const findChromium = () => (env.CHROMIUM ? [env.CHROMIUM] : PLACES).find((place) => existsSync(place));

/** The same for callers that cannot do without it. */
export function chromium() {
  const found = findChromium();
  if (found) return found;
  throw new Error(
    env.CHROMIUM
      ? `CHROMIUM names ${env.CHROMIUM}, which is not there.`
      : 'This needs Chromium: apt-get install chromium-headless-shell, or set CHROMIUM to where it is.',
  );
}
