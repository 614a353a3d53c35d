// A server with a given number of applications, and the Owner who views them.
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import * as processes from './processes.mjs';

const PASSWORD = 'river lantern quiet 42';
const EMAIL = 'bench@example.org';

const target = join(
  env.CARGO_TARGET_DIR ?? fileURLToPath(new URL('../target', import.meta.url)),
  env.BENCH_PROFILE ?? 'dist',
);
const product = join(target, 'matricula');
const tools = join(target, 'examples', 'bench_baseline');

export async function startFilled(folder, databaseUrl, applications) {
  const address = `127.0.0.1:${await processes.freePort()}`;
  const environment = {
    MATRICULA_BIND: address,
    MATRICULA_DATA_DIR: join(folder, 'data'),
    MATRICULA_ISOLATES: '1',
    DATABASE_URL: databaseUrl,
  };
  const options = { env: { PATH: env.PATH, ...environment }, cwd: folder };
  processes.run(product, ['migrate'], options);
  processes.run(product, ['admin', 'create', '--email', EMAIL], { ...options, input: `${PASSWORD}\n` });
  await processes.runBeside(tools, ['fill', '--url', databaseUrl, '--applications', String(applications)]);
  const server = {
    ...processes.start('matricula', product, ['serve'], { environment, cwd: folder }),
    address,
  };
  await processes.untilAnswered(server, address, '/readyz');
  return server;
}

/** Returns the cookie of a user who has just entered their password. */
export async function logIn({ address }) {
  const body = new URLSearchParams({ email: EMAIL, password: PASSWORD }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${address}` };
  const answer = await processes.fetchRaw(address, '/admin-panel/login', { method: 'POST', body, headers });
  const cookie = answer.headers['set-cookie']?.map((set) => set.split(';')[0]).join('; ');
  if (answer.status !== 303 || !cookie) throw new Error(`login: ${answer.status} ${answer.body}`);
  return cookie;
}
