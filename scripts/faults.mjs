// Runs the tests of failures beneath the program one after the other, and prints the results as a table. They are part
// of `make test`, where they run in parallel with all others.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env, exit, stdout } from 'node:process';
import { createInterface } from 'node:readline';

/** The tests: a module of `tests/it`, or a single test of one. */
const STORIES = [
  'faults::',
  'disks::',
  'servers::',
  'migrations::',
  'kills::',
  'rolling::',
  'backup::',
  'anchors::',
  'mail::a_mail_server_that_is_away_loses_nothing',
  'process::what_was_acknowledged_is_there_after_a_kill',
  'process::an_upload_goes_on_after_a_kill',
  'api::documents::what_a_kill_leaves_behind_is_taken_care_of',
  'api::documents::a_check_that_was_cut_short_is_taken_up_seconds_later',
  'api::documents::a_file_that_the_storage_has_lost_is_asked_for_again',
  'api::documents::without_its_virus_scanner_a_file_waits',
  'telemetry::a_collector_that_is_away_or_silent_costs_nothing',
  'card_payments::a_stripe_that_says_nothing_is_not_waited_for',
  'card_payments::killed_between_any_two_steps_of_a_charge',
];

const RESULT = /^test (?<name>\S+) \.\.\. (?<outcome>\w+)/;
const DATABASES = { on_sqlite: 'SQLite', on_postgres: 'PostgreSQL' };

const words = ['test', '--locked', '--test', 'it', ...argv.slice(2), '--', '--test-threads=1', ...STORIES];
// Where tests report what they cannot do on this machine.
const folder = mkdtempSync(join(tmpdir(), 'faults-'));
const skips = join(folder, 'skips');
writeFileSync(skips, '');
const tests = spawn('cargo', words, {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...env, MATRICULA_TEST_SKIPS: skips },
});
const rows = [];
let skipped = '';
const rest = [];
let since = Date.now();
for await (const line of createInterface({ input: tests.stdout })) {
  const { name, outcome } = RESULT.exec(line)?.groups ?? {};
  if (name === undefined) {
    if (line.startsWith('running')) since = Date.now();
    rest.push(line);
    continue;
  }
  const parts = name.split('::');
  const database = DATABASES[parts.at(-1)];
  const story = parts.at(database === undefined ? -1 : -2).replaceAll('_', ' ');
  const why = readFileSync(skips, 'utf8').slice(skipped.length);
  skipped += why;
  const row = {
    name,
    outcome: outcome !== 'ok' ? outcome : why === '' ? 'held' : 'skipped',
    story,
    database: database ?? '',
    took: (Date.now() - since) / 1000,
  };
  since = Date.now();
  rows.push(row);
  stdout.write(
    `${row.outcome.padEnd(8)}${row.took.toFixed(1).padStart(7)} s  ${row.database.padEnd(11)}${story}\n`,
  );
  if (why !== '') stdout.write(`${' '.repeat(30)}${why.trim().replaceAll('\n', '; ')}\n`);
}
const code = await new Promise((resolve) => tests.on('close', resolve));
rmSync(folder, { recursive: true });
const held = rows.filter((row) => row.outcome === 'held').length;
const took = rows.reduce((sum, row) => sum + row.took, 0);
if (code !== 0) stdout.write(`${rest.join('\n')}\n`);
stdout.write(`${held} of ${rows.length} held, in ${(took / 60).toFixed(1)} minutes\n`);
// A filter without matches proves nothing.
const missing = STORIES.filter((story) => !rows.some((row) => row.name.includes(story)));
for (const story of missing) stdout.write(`There is no story ${story}\n`);
exit(code === 0 && missing.length === 0 ? 0 : 1);
