// The browser of the tests, the benchmarks and the pictures.
import { existsSync } from 'node:fs';
import { env } from 'node:process';

/** Where distributions put it. The headless shell is the same engine without windows, and takes half the time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** `CHROMIUM`, or the system's; undefined where there is none. */
export const findChromium = () => (env.CHROMIUM ? [env.CHROMIUM] : PLACES).find((place) => existsSync(place));

/** The same, for whoever cannot do without it. */
export function chromium() {
  const found = findChromium();
  if (found) return found;
  throw new Error(
    env.CHROMIUM
      ? `CHROMIUM names ${env.CHROMIUM}, which is not there.`
      : 'This needs Chromium: apt-get install chromium-headless-shell, or set CHROMIUM to where it is.',
  );
}
