// The second browser of the tests.
import { existsSync } from 'node:fs';
import { env } from 'node:process';

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Returns `FIREFOX` or the system's. */
export function firefox() {
  const found = (env.FIREFOX ? [env.FIREFOX] : PLACES).find((place) => existsSync(place));
  if (found) return found;
  throw new Error(
    env.FIREFOX
      ? `FIREFOX names ${env.FIREFOX}, which is not there.`
      : 'This needs Firefox: apt-get install firefox-esr, or set FIREFOX to where it is.',
  );
}
