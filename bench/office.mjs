// The office of the measured server: a demo season and a member of staff who views it.
import process from 'node:process';
import { fetchRaw, run } from './processes.mjs';

const OWNER = { email: 'bench.owner@example.org', password: 'six words that nobody would guess' };

/** Creates a season of the given number of demo applications and an Owner, before the server starts. */
export function fill(product, environment, applications) {
  const options = { env: { PATH: process.env.PATH, ...environment }, input: OWNER.password };
  run(product, ['seed', '--demo', '--season', String(applications)], options);
  run(product, ['admin', 'create', '--email', OWNER.email, '--role', 'owner'], options);
}

/** Returns the Owner's cookie. */
export async function enter(address) {
  const { status, headers, body } = await fetchRaw(address, '/admin-panel/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(OWNER).toString(),
  });
  if (status !== 303) throw new Error(`/admin-panel/login: ${status} ${body}`);
  return headers['set-cookie'].map((set) => set.split(';')[0]).join('; ');
}

/** Returns the pages of the applications in a list. */
export async function dossiers(address, list, cookie) {
  const { body } = await fetchRaw(address, list, { headers: { cookie } });
  const found = body.toString().matchAll(/href="(\/admin-panel\/applications\/[0-9a-f-]{36})[?"]/g);
  return [...new Set([...found].map(([, path]) => path))];
}
