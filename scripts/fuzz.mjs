// Calls the whole API in line with its description and against it, on SQLite and on PostgreSQL, and prints the results.
// EXAMPLES= is the number of generated inputs per call (10), SEED= repeats the same ones.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, exit, stdout } from 'node:process';
import {
  findPostgres,
  freePort,
  run,
  start,
  startPostgres,
  stop,
  stopAll,
  untilAnswered,
} from '../bench/processes.mjs';

const BINARY = 'target/debug/matricula';
const SCHEMATHESIS = 'target/fuzz/bin/schemathesis';
/** Calls use them up: they sign out, suspend each other and revoke each other's role. */
const OWNERS = 150;
const PASSWORD = 'six words that nobody would guess';
const seed = env.SEED ?? String(Math.floor(Math.random() * 1e9));

const folder = mkdtempSync(join(tmpdir(), 'matricula-fuzz-'));
// PostgreSQL runs as another user.
chmodSync(folder, 0o755);
process.on('exit', () => {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
});

async function fuzz(database, url) {
  const data = join(folder, database);
  const address = `127.0.0.1:${await freePort()}`;
  const environment = {
    MATRICULA_DATA_DIR: data,
    MATRICULA_BIND: address,
    MATRICULA_DEVELOPMENT: 'true',
    MATRICULA_REGISTRATIONS_PER_HOUR: '1000000',
    MATRICULA_TRUSTED_PROXIES: '127.0.0.1',
    // Makes the webhook check signatures. Nothing is sent to this address.
    STRIPE_SECRET_KEY: 'sk_test_fuzz',
    STRIPE_WEBHOOK_SECRET: 'whsec_fuzz',
    STRIPE_API_URL: 'http://127.0.0.1:9',
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  };
  const tell = (words, input) => run(BINARY, words, { input, env: { PATH: env.PATH, ...environment } });
  tell(['migrate']);
  tell(['seed', '--demo']);
  const owners = Array.from({ length: OWNERS }, (_, number) => `fuzz-owner-${number}@example.org`);
  for (const email of owners) tell(['admin', 'create', '--email', email, '--role', 'owner'], PASSWORD);
  const server = start('matricula', BINARY, ['serve', '--log-format', 'json'], {
    environment: { ...environment, MATRICULA_LOG: 'error' },
  });
  await untilAnswered(server, address, '/readyz');

  const begun = performance.now();
  const report = join(folder, `${database}.json`);
  const words = [
    '--config-file',
    'schemathesis.toml',
    'run',
    'docs/openapi.json',
    '--url',
    `http://${address}`,
  ];
  const client = spawn(
    SCHEMATHESIS,
    [...words, '--checks', 'all', '--max-examples', env.EXAMPLES ?? '10', '--seed', seed],
    {
      stdio: 'inherit',
      env: {
        ...env,
        FUZZ_URL: `http://${address}`,
        FUZZ_OWNERS: JSON.stringify(owners),
        FUZZ_PASSWORD: PASSWORD,
        FUZZ_REPORT: report,
        // Hypothesis warns of hooks that use randomness, which ours may do.
        PYTHONWARNINGS: 'ignore',
      },
    },
  );
  const code = await new Promise((resolve) => client.on('close', resolve));
  const { calls, shut } = JSON.parse(readFileSync(report, 'utf8'));
  const isLoud = server.said('"level":"ERROR"');
  await stop(server);
  const complaints = [
    code === 0 ? [] : ['what schemathesis found'],
    shut.map((call) => `nobody was let in by ${call}`),
    isLoud ? ['the server logged errors'] : [],
  ].flat();
  return { database, calls, complaints, seconds: (performance.now() - begun) / 1000 };
}

const results = [await fuzz('SQLite')];
const programs = findPostgres();
if (programs === undefined)
  throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql).');
const postgres = await startPostgres(programs, folder);
results.push(await fuzz('PostgreSQL', postgres.url));
await stop(postgres, 'SIGINT');
for (const { database, calls, complaints, seconds } of results) {
  const verdict = complaints.length === 0 ? 'held' : complaints.join('; ');
  stdout.write(`${database.padEnd(11)}${calls} calls in ${seconds.toFixed(0)} s, seed ${seed}: ${verdict}\n`);
}
exit(results.some(({ complaints }) => complaints.length > 0) ? 1 : 0);
