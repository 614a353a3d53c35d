// make bench: the product beside its baselines, in the same minutes on the same machine. Prints a table, writes
// bench/out/results.json, and fails when a bar is missed. An aim that is missed is only told.
//
//   node bench/run.mjs          after: cargo build --release --bin matricula --example bench_baseline
//   NODE=/path/to/node          the Node of the baseline; otherwise the one that runs this
//   BENCH_DIR=/path             where the databases lie; otherwise the system's folder for temporary files
//
// Every figure is a ratio of rounds that alternate (ours, baseline, ours, baseline…): its median, and from the
// lowest to the highest. No process is pinned to a core: clients, servers and databases share what there is.
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { env, execPath, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from './applicants.mjs';
import * as processes from './processes.mjs';
import { weigh, weighLandingInUse } from './weight.mjs';

/** Bars stop the bench with an error, aims do not. Figures as they are called in results.json. */
const LIMITS = [
  { figure: 'landing', least: 1.6, bar: true },
  { figure: 'landingRendered', least: 1.6, bar: true },
  { figure: 'application', least: 1.6, bar: true },
  { figure: 'dashboard', least: 1.6, bar: true },
  { figure: 'landingAgainstFile', least: 0.5, bar: true },
  { figure: 'landingAgainstFile', least: 0.8, bar: false },
  { figure: 'saveSqlite', least: 0.5, bar: true },
  { figure: 'savePostgres', least: 0.5, bar: true },
  { figure: 'startMilliseconds', most: 300, bar: false },
  { figure: 'restMegabytes', most: 200, bar: false },
  { figure: 'landingScriptKilobytes', most: 60, bar: false },
  { figure: 'applicationScriptKilobytes', most: 160, bar: false },
];

const ROUNDS = 5;
const ROUND_SECONDS = 2.5;
const WARM_UP_SECONDS = 2.5;
const CLIENTS = 8;
const STARTS = 5;
const ISOLATES = 2;

const LANDING = '/bachelor/apply';
/** Renders instead of sending kept bytes, since the dialog is open. */
const LANDING_RENDERED = '/bachelor/apply?dialog=register';
const APPLICATION = '/bachelor/application';
const DASHBOARD = '/dashboard';
const ACCOUNT = '/dashboard/account';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, 'out');
const target = join(env.CARGO_TARGET_DIR ?? join(here, '..', 'target'), 'release');
const product = join(target, 'matricula');
const tools = join(target, 'examples', 'bench_baseline');
const node = env.NODE ?? execPath;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) => ({ median: median(values), low: Math.min(...values), high: Math.max(...values) });

async function startProduct(folder, databaseUrl) {
  const port = await processes.freePort();
  const address = `127.0.0.1:${port}`;
  const environment = {
    MATRICULA_BIND: address,
    MATRICULA_DATA_DIR: join(folder, 'data'),
    MATRICULA_ISOLATES: String(ISOLATES),
    MATRICULA_REGISTRATIONS_PER_HOUR: '1000',
    DATABASE_URL: databaseUrl,
  };
  return { ...processes.start('matricula', product, ['serve'], { environment, cwd: folder }), address };
}

async function startNode(spec) {
  const port = await processes.freePort();
  writeFileSync(join(out, 'baseline.json'), JSON.stringify({ ...spec, port }));
  const args = [join(here, 'baseline.mjs'), join(out, 'baseline.json')];
  // As people run React on Node in production.
  const environment = { NODE_ENV: 'production' };
  return {
    ...processes.start('the Node baseline', node, args, { environment }),
    address: `127.0.0.1:${port}`,
  };
}

/** One round against one server: its speed, and what it cost the server's processor. */
async function round({ pid, address }, clients, seconds) {
  const plan = { address, seconds, clients };
  const before = processes.cpuSeconds(pid);
  const result = JSON.parse(await processes.runBeside(tools, ['load'], JSON.stringify(plan)));
  const cpu = processes.cpuSeconds(pid) - before;
  return { ...result, perSecond: result.done / result.seconds, perCpuSecond: result.done / cpu };
}

const request = (path, cookie) => ({ method: 'GET', path, headers: cookie ? { cookie } : {} });
const repeated = (client) => Array.from({ length: CLIENTS }, () => client);

/** Rounds that alternate between the two sides, each a function of seconds. */
async function alternate(ours, baseline) {
  await ours(WARM_UP_SECONDS);
  await baseline(WARM_UP_SECONDS);
  const rounds = { ours: [], baseline: [] };
  for (let index = 0; index < ROUNDS; index += 1) {
    rounds.ours.push(await ours(ROUND_SECONDS));
    rounds.baseline.push(await baseline(ROUND_SECONDS));
  }
  const side = (results) => ({
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    perCpuSecond: results[0].perCpuSecond && median(results.map(({ perCpuSecond }) => perCpuSecond)),
    p50: median(results.map(({ p50 }) => p50)),
    p99: median(results.map(({ p99 }) => p99)),
  });
  const ratio = (field) =>
    spread(rounds.ours.map((result, index) => result[field] / rounds.baseline[index][field]));
  return {
    ours: side(rounds.ours),
    baseline: side(rounds.baseline),
    perSecond: ratio('perSecond'),
    perCpuSecond: rounds.ours[0].perCpuSecond && ratio('perCpuSecond'),
  };
}

/** Takes one of our documents apart, for the baseline to put together again around its own rendering. */
async function takeApart(address, path, cookie) {
  const { status, headers, body } = await processes.fetchRaw(address, path, {
    headers: cookie ? { cookie } : {},
  });
  const text = body.toString();
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
  const policy = headers['content-security-policy'];
  const nonce = policy.match(/'nonce-([^']+)'/)?.[1];
  const parts = (piece) => (nonce ? piece.split(nonce) : [piece]);
  const [, before, between, data, after] = text.match(
    /^(.*<div id="root">).*(<\/div><script type="application\/json" id="page">)(.*?)(<\/script>.*)$/s,
  );
  const { 'content-type': type, 'cache-control': cache, vary } = headers;
  return {
    json: JSON.stringify(JSON.parse(data)),
    headers: { 'content-type': type, 'cache-control': cache, vary, 'content-security-policy': parts(policy) },
    before: parts(before),
    between,
    after: parts(after),
    text: parts(text).join('NONCE'),
  };
}

/** The baseline must do the same work: its document differs from ours in the nonce alone. */
async function compareDocuments(address, pages) {
  for (const [path, { text }] of Object.entries(pages)) {
    const { headers, body } = await processes.fetchRaw(address, path);
    const nonce = headers['content-security-policy'].match(/'nonce-([^']+)'/)?.[1];
    const theirs = nonce ? body.toString().replaceAll(nonce, 'NONCE') : body.toString();
    if (theirs !== text) throw new Error(`the baseline's document of ${path} is not ours`);
  }
}

async function pagesAgainstNode(server, applicants) {
  const pages = { '/landing': await takeApart(server.address, LANDING) };
  pages['/landing-rendered'] = await takeApart(server.address, LANDING_RENDERED);
  for (const [index, { cookie }] of applicants.entries()) {
    pages[`/application/${index}`] = await takeApart(server.address, APPLICATION, cookie);
    pages[`/dashboard/${index}`] = await takeApart(server.address, DASHBOARD, cookie);
  }
  const spec = { ssr: join(out, 'ssr.js'), pages };
  const baseline = await startNode(spec);
  const startMilliseconds = await processes.untilAnswered(baseline, baseline.address, '/landing');
  await compareDocuments(baseline.address, pages);

  const rows = {};
  const memory = {};
  const measure = async (figure, ours, theirs) => {
    progress(figure);
    rows[figure] = await alternate(
      (seconds) => round(server, ours, seconds),
      (seconds) => round(baseline, theirs, seconds),
    );
    memory[figure] = { ours: processes.memory(server.pid), baseline: processes.memory(baseline.pid) };
  };
  const signedIn = (path) => applicants.map(({ cookie }) => request(path, cookie));
  const numbered = (path) => applicants.map((_, index) => request(`${path}/${index}`));
  await measure('landing', repeated(request(LANDING)), repeated(request('/landing')));
  await measure(
    'landingRendered',
    repeated(request(LANDING_RENDERED)),
    repeated(request('/landing-rendered')),
  );
  await measure('application', signedIn(APPLICATION), numbered('/application'));
  await measure('dashboard', signedIn(DASHBOARD), numbered('/dashboard'));
  await processes.stop(baseline, 'SIGKILL');
  return { rows, memory, startMilliseconds, bare: await bareRenders(spec) };
}

/** Rendering alone: no HTTP, no document around it, nothing beside it. */
async function bareRenders({ ssr, pages }) {
  const bare = {};
  for (const [figure, prefix] of [
    ['landingRendered', '/landing-rendered'],
    ['application', '/application/'],
    ['dashboard', '/dashboard/'],
  ]) {
    progress(`rendering alone: ${figure}`);
    const chosen = Object.fromEntries(Object.entries(pages).filter(([path]) => path.startsWith(prefix)));
    const jsons = JSON.stringify(Object.values(chosen).map(({ json }) => json));
    const file = join(out, 'bare.json');
    writeFileSync(file, JSON.stringify({ ssr, pages: chosen }));
    const ratios = [];
    const micros = { ours: [], baseline: [] };
    for (let index = 0; index < 3; index += 1) {
      const ours = await processes.runBeside(tools, ['render', '--seconds', '2'], jsons);
      const baseline = await processes.runBeside(node, [join(here, 'baseline.mjs'), file, '--bare', '2']);
      const [a, b] = [ours, baseline]
        .map((text) => JSON.parse(text))
        .map(({ done, cpuSeconds }) => (cpuSeconds / done) * 1e6);
      micros.ours.push(a);
      micros.baseline.push(b);
      ratios.push(b / a);
    }
    bare[figure] = { ours: median(micros.ours), baseline: median(micros.baseline), ratio: spread(ratios) };
  }
  return bare;
}

/** The kept landing page against a handler that does nothing but send the same bytes. */
async function landingAgainstFile(server) {
  progress('landingAgainstFile');
  // As browsers ask.
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const answer = await processes.fetchRaw(server.address, LANDING, { headers });
  const file = join(out, 'landing.html.br');
  writeFileSync(file, answer.body);
  const address = `127.0.0.1:${await processes.freePort()}`;
  const args = ['static', '--bind', address, '--file', file];
  for (const name of ['content-type', 'content-encoding'])
    args.push('--header', `${name}:${answer.headers[name]}`);
  const baseline = { ...processes.start('the static file', tools, args), address };
  await processes.untilAnswered(baseline, address, '/');
  const row = await alternate(
    (seconds) => round(server, repeated({ ...request(LANDING), headers }), seconds),
    (seconds) => round(baseline, repeated({ ...request('/'), headers }), seconds),
  );
  await processes.stop(baseline, 'SIGKILL');
  return row;
}

/** Saving by the API against the bare statement, on the same database and rows, as many at a time. */
async function saves(figure, server, applicants, url) {
  progress(figure);
  const clients = applicants.map(({ token, body }) => ({
    method: 'POST',
    path: '/api/users/application',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
    followEtag: true,
  }));
  const bare = async (seconds) => {
    const args = ['save', '--url', url, '--clients', String(clients.length), '--seconds', String(seconds)];
    const result = JSON.parse(await processes.runBeside(tools, args));
    return { ...result, perSecond: result.done / result.seconds };
  };
  const api = async (seconds) => {
    const { perCpuSecond: _, ...result } = await round(server, clients, seconds);
    return result;
  };
  return alternate(api, bare);
}

/** From the start of the process to the last byte of a rendered page. The database is there, as after a restart. */
async function coldStarts(folder, databaseUrl) {
  progress('cold start');
  const times = [];
  let rest;
  for (let index = 0; index < STARTS; index += 1) {
    const server = await startProduct(folder, databaseUrl);
    times.push(await processes.untilAnswered(server, server.address, LANDING_RENDERED));
    if (index === 0) {
      await sleep(2000);
      rest = processes.memory(server.pid);
    }
    await processes.stop(server);
  }
  return { startMilliseconds: spread(times), rest };
}

function progress(what) {
  if (stdout.isTTY) stdout.write(`\r\x1b[K${what}…`);
  else stdout.write(`${what}…\n`);
}

const ROWS = {
  landing: 'landing, as visitors get it (kept)',
  landingRendered: 'landing, rendered (?dialog=register)',
  application: 'application form, signed in',
  dashboard: 'dashboard, signed in',
  landingAgainstFile: 'landing, kept',
  saveSqlite: 'save an application, SQLite',
  savePostgres: 'save an application, PostgreSQL',
};

const cell = (value, width, digits = 0) =>
  (value === undefined ? '–' : value.toFixed(digits)).padStart(width);
const factor = (ratio) =>
  (ratio ? `${ratio.median.toFixed(2)}× (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})` : '–').padStart(
    20,
  );

function table(title, rows, memory = {}) {
  const lines = [`\n${title}`];
  lines.push(
    `${''.padEnd(38)}${'ratio /CPU-s'.padStart(20)}${'ratio /s'.padStart(20)}${'/CPU-s'.padStart(9)}${'/s'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'MB'.padStart(7)}`,
  );
  for (const [figure, row] of Object.entries(rows)) {
    for (const side of ['ours', 'baseline']) {
      const { perCpuSecond, perSecond, p50, p99 } = row[side];
      const ratios = side === 'ours' ? factor(row.perCpuSecond) + factor(row.perSecond) : ''.padEnd(40);
      const label = side === 'ours' ? ROWS[figure] : '  baseline';
      lines.push(
        label.padEnd(38) +
          ratios +
          cell(perCpuSecond, 9) +
          cell(perSecond, 9) +
          cell(p50, 9, 2) +
          cell(p99, 9, 2) +
          cell(memory[figure]?.[side].rss, 7),
      );
    }
  }
  return lines.join('\n');
}

function judge(figures) {
  return LIMITS.map((limit) => {
    const value = figures[limit.figure];
    const met = value === undefined ? undefined : limit.least ? value >= limit.least : value <= limit.most;
    return { ...limit, value, met };
  });
}

function verdictLine({ figure, least, most, bar, value, met }) {
  const wanted = least ? `at least ${least}` : `at most ${most}`;
  const word = met === undefined ? 'not measured' : met ? 'met' : 'MISSED';
  return `${bar ? 'bar' : 'aim'}  ${figure.padEnd(28)} ${wanted.padEnd(14)} ${cell(value, 8, 2)}  ${word}`;
}

async function main() {
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(env.BENCH_DIR ?? tmpdir(), 'matricula-bench-'));
  process.on('exit', () => {
    processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const TMPFS = 0x01021994;
  const inMemory = statfsSync(folder).type === TMPFS;
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0].model,
    node: processes.run(node, ['--version']).trim(),
    databasesInMemory: inMemory,
    at: new Date().toISOString(),
  };
  writeFileSync(join(out, 'ssr.js'), processes.run(tools, ['bundle'], { maxBuffer: 2 ** 26 }));

  const sqlite = `sqlite:${join(folder, 'bench.db')}`;
  const server = await startProduct(folder, sqlite);
  await processes.untilAnswered(server, server.address, '/readyz');
  const applicants = await register(server.address, CLIENTS);

  const pages = await pagesAgainstNode(server, applicants);
  const file = { landingAgainstFile: await landingAgainstFile(server) };
  const saved = { saveSqlite: await saves('saveSqlite', server, applicants, sqlite) };
  progress('weights');
  const weights = {
    landing: await weigh(server.address, LANDING),
    application: await weigh(server.address, APPLICATION, applicants[0].cookie),
    dashboard: await weigh(server.address, DASHBOARD, applicants[0].cookie),
    account: await weigh(server.address, ACCOUNT, applicants[0].cookie),
  };
  const landingInUse = await weighLandingInUse(server.address, LANDING);
  await processes.stop(server);

  const programs = processes.findPostgres();
  if (programs) {
    const postgres = await processes.startPostgres(programs, folder);
    const beside = await startProduct(folder, postgres.url);
    await processes.untilAnswered(beside, beside.address, '/readyz');
    const others = await register(beside.address, CLIENTS);
    saved.savePostgres = await saves('savePostgres', beside, others, postgres.url);
    await processes.stop(beside);
    await processes.stop(postgres, 'SIGINT');
  }
  const { startMilliseconds, rest } = await coldStarts(folder, sqlite);

  const rows = { ...pages.rows, ...file, ...saved };
  const figures = Object.fromEntries(
    Object.entries(rows).map(([figure, row]) => [figure, (row.perCpuSecond ?? row.perSecond).median]),
  );
  Object.assign(figures, {
    startMilliseconds: startMilliseconds.median,
    restMegabytes: rest.rss,
    landingScriptKilobytes: weights.landing.js / 1000,
    applicationScriptKilobytes: weights.application.js / 1000,
  });
  const verdicts = judge(figures);
  const results = { machine, rows, bare: pages.bare, memory: pages.memory, startMilliseconds, rest };
  Object.assign(results, { nodeStartMilliseconds: pages.startMilliseconds, weights, landingInUse, verdicts });
  writeFileSync(join(out, 'results.json'), JSON.stringify(results, null, 2));

  const kilobytes = (bytes) => cell(bytes / 1000, 9, 1);
  const lines = [
    `\n${machine.processor}, ${machine.cores} cores, nothing pinned; ${ROUNDS} rounds of ${ROUND_SECONDS} s a side, ${CLIENTS} connections`,
    table(`pages, against node:http with the same bundle (Node ${machine.node})`, pages.rows, pages.memory),
    table('files, against axum sending the same bytes from memory', file),
    table('saves, against the bare statement on the same database', saved),
    `\nrendering alone, µs of processor time a page${''.padEnd(4)}${'ours'.padStart(9)}${'Node'.padStart(9)}`,
    ...Object.entries(pages.bare).map(
      ([figure, { ours, baseline, ratio }]) =>
        `${ROWS[figure].padEnd(47)}${cell(ours, 9)}${cell(baseline, 9)}${factor(ratio)}`,
    ),
    `\nbytes sent, brotli, kB${''.padEnd(15)}${['HTML', 'CSS', 'JS', 'fonts'].map((name) => name.padStart(9)).join('')}`,
    ...Object.entries(weights).map(
      ([page, { html, css, js, fonts }]) => page.padEnd(37) + [html, css, js, fonts].map(kilobytes).join(''),
    ),
    `${'landing, once it is being used'.padEnd(37)}${''.padEnd(18)}${kilobytes(landingInUse)}`,
    `\nstart to the first rendered page: ${startMilliseconds.median.toFixed(0)} ms (${startMilliseconds.low.toFixed(0)}–${startMilliseconds.high.toFixed(0)}); the Node baseline: ${pages.startMilliseconds.toFixed(0)} ms`,
    `at rest with ${ISOLATES} isolates: ${rest.rss.toFixed(0)} MB resident, ${rest.pss.toFixed(0)} MB with shared pages divided`,
    '',
    ...verdicts.map(verdictLine),
  ];
  if (!programs) lines.push('\nPostgreSQL is not installed here: savePostgres was not measured.');
  if (inMemory)
    lines.push('\nThe databases lie in memory: saves cost no disk. BENCH_DIR chooses another place.');
  stdout.write(`${lines.join('\n')}\n`);
  return verdicts.every(({ bar, met }) => !bar || met !== false);
}

exit((await main()) ? 0 : 1);
