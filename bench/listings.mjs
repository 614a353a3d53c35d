// Part two of make bench: the list with a million applications next to the same list with ten thousand. Prints a table,
// writes bench/out/listings.json, and fails if a bar is missed.
//
//   node bench/listings.mjs     after: cargo build --profile dist --bin matricula --example bench_baseline
//   BENCH_DIR=/path             where the databases are kept, several gigabytes; default: the system's temporary folder
//   BENCH_PROFILE=debug         another build; the ratios are still meaningful
//
// Both servers run at the same time and are queried in turn, one request at a time.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { env, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { logIn, startFilled } from './filled.mjs';
import * as processes from './processes.mjs';
import { growth, verdict } from './report.mjs';

const FEW = 10_000;
const MANY = 1_000_000;
const TIMES = 25;
/** How many times as long anything may take with a hundred times the data. */
const MAX_RATIO = 2;
/** Megabytes that a file of all rows may need beyond one of few rows. */
const MAX_MEMORY = 32;
/** Milliseconds that counting the figures may take. The result is then cached for a minute. */
const MAX_COUNTING = 2000;
const LIST = '/admin-panel/applications';

/** The pages requested. Each is full in both databases. */
const VIEWS = {
  'first page': '?tab=all',
  'first page, needs action': '?tab=needs-action',
  'first page, shortest waiting': '?tab=all&sort=-waiting',
  'first page, oldest submission': '?tab=all&sort=-submitted',
  'first page, names from the end': '?tab=all&sort=-name',
  'two orders: stage, name': '?tab=all&sort=stage&then=name',
  'two orders: stage, needs action': '?tab=needs-action&sort=stage&then=-waiting',
  'two orders: program, owner': '?tab=all&sort=program&then=owner',
  'two orders: day, name': '?tab=all&sort=submitted&then=name',
  'two orders: days waiting, stage': '?tab=all&sort=waiting&then=stage',
  'earliest interviews': '?tab=interviews&sort=interview',
  'filtered: program and military': '?tab=all&program=ba&military=yes',
  'filtered: state, 1 in 100': '?tab=all&state=AK&sort=name',
  'filtered: two, 1 in 2,000': '?tab=all&state=AK&stage=changes&pageSize=2',
  'filtered: stage and documents': '?tab=decisions&stage=held&documents=missing&sort=waiting',
  'search: beginning of a name': '?tab=all&q=ba',
  'search: a name, 1 in 200': '?tab=all&q=bade&pageSize=10&sort=name',
  'search: a reference number': '?tab=all&q=B26-1000042X',
};

/** The same for the list of tasks. */
const WORK = {
  'work: the team’s tasks': '?whose=team',
  'work: tasks of nobody': '?whose=unassigned',
  'work: one kind of task': '?whose=team&task=decision-draft',
};

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, 'out');

const say = (text) => stdout.write(`${text}\n`);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Returns the page's data and how many milliseconds it took. */
async function ask({ address }, cookie, path) {
  const started = performance.now();
  const headers = { cookie, accept: 'application/json' };
  const { status, body } = await processes.fetchRaw(address, path, { headers });
  const took = performance.now() - started;
  if (status !== 200) throw new Error(`${path}: ${status} ${body.toString().slice(0, 200)}`);
  return { took, props: JSON.parse(body).props };
}

/** Returns the address of the thousandth page of ten rows. */
async function page1000(server, cookie) {
  let path = `${LIST}?tab=all&pageSize=90`;
  for (let rows = 90; rows < 9990; rows += 100) {
    const { props } = await ask(server, cookie, path);
    path = props.nextHref.replace('pageSize=90', 'pageSize=100');
  }
  const { props } = await ask(server, cookie, path);
  return props.nextHref.replace('pageSize=100', 'pageSize=10');
}

async function compare(few, many, paths) {
  const [cookieFew, cookieMany] = [await logIn(few), await logIn(many)];
  const rows = {};
  for (const [name, path] of Object.entries(paths)) {
    const [inFew, inMany] = typeof path === 'string' ? [path, path] : path;
    const times = { few: [], many: [] };
    for (let index = -3; index < TIMES; index += 1) {
      const first = await ask(few, cookieFew, inFew);
      const second = await ask(many, cookieMany, inMany);
      const counts = [first, second].map(({ props }) => props.rows?.length);
      if (counts[0] !== counts[1] || counts[0] === 0)
        throw new Error(`${name}: ${counts.join(' and ')} rows`);
      if (index < 0) continue;
      times.few.push(first.took);
      times.many.push(second.took);
    }
    const [medianFew, medianMany] = [median(times.few), median(times.many)];
    rows[name] = { few: medianFew, many: medianMany, ratio: medianMany / medianFew };
  }
  return rows;
}

/**
 * Downloads a file and discards it. Returns its bytes and the server's peak memory above the level before, in
 * megabytes.
 */
async function download({ address, pid }, path) {
  const cookie = await logIn({ address });
  const before = processes.memory(pid).rss;
  let [bytes, peak] = [0, before];
  const [hostname, port] = address.split(':');
  const started = performance.now();
  const sent = new Promise((resolve, reject) => {
    request({ hostname, port, path, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('error', reject);
      response.on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
  const watch = setInterval(() => (peak = Math.max(peak, processes.memory(pid).rss)), 50);
  await sent.finally(() => clearInterval(watch));
  return { bytes, seconds: (performance.now() - started) / 1000, megabytes: peak - before };
}

async function measure(name, folder, urlOf) {
  const started = performance.now();
  const [few, many] = [
    await startFilled(mkdir(folder, 'few'), await urlOf('few'), FEW),
    await startFilled(mkdir(folder, 'many'), await urlOf('many'), MANY),
  ];
  say(`\n${name}: filled in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const addresses = (views, path) => Object.entries(views).map(([view, query]) => [view, `${path}${query}`]);
  const paths = Object.fromEntries([...addresses(VIEWS, LIST), ...addresses(WORK, '/admin-panel/work')]);
  paths['page 1,000'] = await Promise.all(
    [few, many].map(async (server) => page1000(server, await logIn(server))),
  );
  const counting = await ask(many, await logIn(many), `${LIST}/figures`);
  const pages = await compare(few, many, { ...paths, 'figures, counted': `${LIST}/figures` });
  const files = {};
  for (const ending of ['csv', 'xlsx']) {
    const path = `${LIST}.${ending}?tab=all`;
    files[ending] = { few: await download(few, path), many: await download(many, path) };
  }
  await processes.stop(few);
  await processes.stop(many);
  say(growth(name, pages, files, [FEW, MANY]));
  say(`figures of ${MANY.toLocaleString('en-US')}, until they are counted: ${counting.took.toFixed(0)} ms`);
  return { pages, files, counting: counting.took };
}

function mkdir(...parts) {
  const folder = join(...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function judge(database, { pages, files, counting }) {
  const ratios = Object.entries(pages).map(([page, { ratio }]) => ({
    figure: `${database} ${page}`,
    most: MAX_RATIO,
    value: ratio,
  }));
  const memory = Object.entries(files).map(([ending, { few, many }]) => ({
    figure: `${database} ${ending}, MB more`,
    most: MAX_MEMORY,
    value: many.megabytes - few.megabytes,
  }));
  const figures = { figure: `${database} figures, ms to count`, most: MAX_COUNTING, value: counting };
  return [...ratios, ...memory, figures].map((row) => ({ ...row, bar: true, met: row.value <= row.most }));
}

async function main() {
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(env.BENCH_DIR ?? tmpdir(), 'matricula-bench-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.on('exit', () => {
    processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const wanted = env.BENCH_DATABASE;
  const results = {};
  if (wanted !== 'postgres') {
    const sqlite = mkdir(folder, 'sqlite');
    results.sqlite = await measure('SQLite', sqlite, (size) => `sqlite:${join(sqlite, `${size}.db`)}`);
    rmSync(sqlite, { recursive: true, force: true });
  }
  const programs = wanted === 'sqlite' ? undefined : processes.findPostgres();
  if (programs) {
    const servers = [];
    const urlOf = async (size) => {
      const server = await processes.startPostgres(programs, mkdir(folder, `postgres-${size}`));
      servers.push(server);
      return server.url;
    };
    results.postgres = await measure('PostgreSQL', mkdir(folder, 'beside'), urlOf);
    for (const server of servers) await processes.stop(server, 'SIGINT');
  } else say('PostgreSQL was not measured.');
  const verdicts = Object.entries(results).flatMap(([database, result]) => judge(database, result));
  say(verdicts.map(verdict).join('\n'));
  writeFileSync(join(out, 'listings.json'), JSON.stringify({ ...results, verdicts }, null, 2));
  return verdicts.every(({ met }) => met);
}

exit((await main()) ? 0 : 1);
