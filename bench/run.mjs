// make bench: the product next to its baselines, in the same minutes on the same machine. Prints a table, writes
// bench/out/results.json, and fails if a bar is missed. A missed aim is only reported.
//
//   node bench/run.mjs          after: cargo build --profile dist --bin matricula --example bench_baseline
//   NODE=/path/to/node          the Node of the baseline; default: the one running this
//   BENCH_DIR=/path             where the databases are kept; default: the system's temporary folder
//
// Every figure is a ratio over alternating rounds (ours, baseline, ours, baseline…): its median and its range. No
// process is pinned to a core: clients, servers and databases share the machine.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { env, execPath, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleServer } from '../scripts/bundle.mjs';
import { findChromium } from '../scripts/chromium.mjs';
import { register } from './applicants.mjs';
import * as office from './office.mjs';
import * as processes from './processes.mjs';
import { comparison, renderings, verdict, weights } from './report.mjs';
import { slowLine } from './slow-line.mjs';
import { weigh, weighLandingInUse, weighLater } from './weight.mjs';

const pageWeights = JSON.parse(readFileSync(new URL('page-weights.json', import.meta.url), 'utf8'));

/** Missing a bar fails the bench, missing an aim does not. Figures are named as in results.json. */
const LIMITS = [
  { figure: 'landing', least: 100, bar: true },
  { figure: 'landingRendered', least: 2, bar: true },
  { figure: 'application', least: 2, bar: true },
  { figure: 'section', least: 2, bar: true },
  { figure: 'section', least: 6, bar: false },
  { figure: 'dashboard', least: 2, bar: true },
  { figure: 'dashboard', least: 6, bar: false },
  { figure: 'officeList', least: 2, bar: true },
  { figure: 'officeList', least: 6, bar: false },
  { figure: 'officeApplication', least: 2, bar: true },
  { figure: 'officeApplication', least: 6, bar: false },
  { figure: 'sectionRenderShare', most: 0.5, bar: true },
  { figure: 'sectionRenderShare', most: 0.15, bar: false },
  { figure: 'officeListRenderShare', most: 0.5, bar: true },
  { figure: 'officeListRenderShare', most: 0.15, bar: false },
  { figure: 'landingAgainstFile', least: 0.5, bar: true },
  { figure: 'landingAgainstFile', least: 0.8, bar: false },
  { figure: 'saveSqlite', least: 0.5, bar: true },
  { figure: 'savePostgres', least: 0.5, bar: true },
  { figure: 'upload', least: 0.7, bar: true },
  { figure: 'startMilliseconds', most: 300, bar: false },
  { figure: 'restMegabytes', most: 200, bar: false },
  { figure: 'landingScriptKilobytes', most: 1, bar: true },
  { figure: 'landingScriptKilobytes', most: 0.4, bar: false },
  { figure: 'landingDocumentKilobytes', most: 30, bar: true },
  { figure: 'landingDocumentKilobytes', most: 12, bar: false },
  { figure: 'applicantScriptKilobytes', most: 130, bar: false },
  { figure: 'applicantStyleKilobytes', most: 12, bar: false },
  { figure: 'officeScriptKilobytes', most: 160, bar: false },
  { figure: 'laterOfficeScriptKilobytes', most: 7, bar: false },
  // The browser tests hold pages to these as well.
  ...Object.entries(pageWeights).map(([figure, most]) => ({ figure, most, bar: true })),
  { figure: 'sectionPaintSeconds', most: 1.5, bar: true },
  { figure: 'sectionPaintSeconds', most: 1, bar: false },
  { figure: 'registerBlockedMilliseconds', most: 200, bar: true },
];

const ROUNDS = 5;
const ROUND_SECONDS = 2;
const WARM_UP_SECONDS = 2;
const CLIENTS = 8;
/** For rendering alone. */
const BARE_SECONDS = '1';
const STARTS = 5;
const ISOLATES = 2;
/** The type that statfs(2) reports for tmpfs. */
const TMPFS = 0x01021994;

const LANDING = '/bachelor/apply';
/** Rendered, not served from the cache, since the dialog is open. */
const LANDING_RENDERED = '/bachelor/apply?dialog=register';
/** The list of sections, and the longest of them. */
const APPLICATION = '/bachelor/application';
const SECTION = '/bachelor/application/employment';
const DASHBOARD = '/dashboard';
const ACCOUNT = '/dashboard/account';
/** Shows fifty rows. */
const OFFICE_LIST = '/admin-panel/applications?tab=all';
const OFFICE_PAGES = ['/admin-panel/admins', '/admin-panel/account'];
/** Applications in the office's demo season. */
const SEASON = 150;

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, 'out');
const target = join(env.CARGO_TARGET_DIR ?? join(here, '..', 'target'), 'dist');
const product = join(target, 'matricula');
const tools = join(target, 'examples', 'bench_baseline');
const node = env.NODE ?? execPath;

/** What the Node baselines render with: Material UI as documented and, for comparison, the product's own renderer. */
const STOCK = join(out, 'stock.js');
const OUR_RENDERER = join(out, 'ssr.js');

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) => ({ median: median(values), low: Math.min(...values), high: Math.max(...values) });

const environmentOf = (folder, databaseUrl) => ({
  MATRICULA_DATA_DIR: join(folder, 'data'),
  MATRICULA_ISOLATES: String(ISOLATES),
  MATRICULA_REGISTRATIONS_PER_HOUR: '1000',
  DATABASE_URL: databaseUrl,
});

async function startProduct(folder, databaseUrl) {
  const port = await processes.freePort();
  const address = `127.0.0.1:${port}`;
  const environment = { ...environmentOf(folder, databaseUrl), MATRICULA_BIND: address };
  return { ...processes.start('matricula', product, ['serve'], { environment, cwd: folder }), address };
}

async function startNode(bundle, pages) {
  const port = await processes.freePort();
  const file = `${bundle}on`;
  writeFileSync(file, JSON.stringify({ bundle, pages, port }));
  const args = [join(here, 'baseline.mjs'), file];
  return { ...processes.start('the Node baseline', node, args), address: `127.0.0.1:${port}` };
}

/** One round against one server: its throughput and its processor time. */
async function round({ pid, address }, clients, seconds) {
  const plan = { address, seconds, clients };
  const before = processes.cpuSeconds(pid);
  const result = JSON.parse(await processes.runBeside(tools, ['load'], JSON.stringify(plan)));
  const cpu = processes.cpuSeconds(pid) - before;
  return { ...result, perSecond: result.done / result.seconds, perCpuSecond: result.done / cpu };
}

const request = (path, cookie) => ({ method: 'GET', path, headers: cookie ? { cookie } : {} });
/** As browsers request what is cached compressed. The Node baseline, as documented, compresses nothing. */
const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const asBrowsers = (path) => ({ ...request(path), headers: AS_BROWSERS });
const repeated = (client) => Array.from({ length: CLIENTS }, () => client);

/** Alternates rounds between the two sides, each a function of seconds. */
async function alternate(ours, baseline, times = ROUNDS) {
  await ours(WARM_UP_SECONDS);
  await baseline(WARM_UP_SECONDS);
  const rounds = { ours: [], baseline: [] };
  for (let index = 0; index < times; index += 1) {
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

/** Splits one of our documents into parts, for the baseline to put back together around its own rendering. */
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

/** The body of a document. */
const bodyOf = (text) => text.slice(text.indexOf('<body>'));

/**
 * Checks that the baseline does the same work: its document differs from ours only in the nonce and in the styles of
 * its head.
 */
async function compareDocuments(address, pages) {
  for (const [path, { text }] of Object.entries(pages)) {
    const { headers, body } = await processes.fetchRaw(address, path);
    const nonce = headers['content-security-policy'].match(/'nonce-([^']+)'/)?.[1];
    const theirs = nonce ? body.toString().replaceAll(nonce, 'NONCE') : body.toString();
    if (bodyOf(theirs) !== bodyOf(text)) throw new Error(`the baseline's document of ${path} is not ours`);
  }
}

async function pagesAgainstNode(server, applicants, staff) {
  const pages = { '/landing': await takeApart(server.address, LANDING) };
  pages['/landing-rendered'] = await takeApart(server.address, LANDING_RENDERED);
  for (const [index, { cookie }] of applicants.entries()) {
    pages[`/application/${index}`] = await takeApart(server.address, APPLICATION, cookie);
    pages[`/section/${index}`] = await takeApart(server.address, SECTION, cookie);
    pages[`/dashboard/${index}`] = await takeApart(server.address, DASHBOARD, cookie);
    pages[`/office-application/${index}`] = await takeApart(
      server.address,
      staff.dossiers[index],
      staff.cookie,
    );
  }
  pages['/office-list'] = await takeApart(server.address, OFFICE_LIST, staff.cookie);
  const baseline = await startNode(STOCK, pages);
  const startMilliseconds = await processes.untilAnswered(baseline, baseline.address, '/landing');
  const sameRenderer = await startNode(OUR_RENDERER, pages);
  await processes.untilAnswered(sameRenderer, sameRenderer.address, '/landing');
  await compareDocuments(baseline.address, pages);
  await compareDocuments(sameRenderer.address, pages);

  const signedIn = (path) => applicants.map(({ cookie }) => request(path, cookie));
  const numbered = (path) => applicants.map((_, index) => request(`${path}/${index}`));
  const kinds = {
    landing: [repeated(asBrowsers(LANDING)), repeated(asBrowsers('/landing'))],
    landingRendered: [repeated(request(LANDING_RENDERED)), repeated(request('/landing-rendered'))],
    application: [signedIn(APPLICATION), numbered('/application')],
    section: [signedIn(SECTION), numbered('/section')],
    dashboard: [signedIn(DASHBOARD), numbered('/dashboard')],
    officeList: [repeated(request(OFFICE_LIST, staff.cookie)), repeated(request('/office-list'))],
    officeApplication: [
      applicants.map((_, index) => request(staff.dossiers[index], staff.cookie)),
      numbered('/office-application'),
    ],
  };
  const rows = {};
  const memory = {};
  for (const [figure, [ours, theirs]] of Object.entries(kinds)) {
    const us = (seconds) => round(server, ours, seconds);
    rows[figure] = await alternate(us, (seconds) => round(baseline, theirs, seconds));
    memory[figure] = { ours: processes.memory(server.pid).rss, baseline: processes.memory(baseline.pid).rss };
  }
  say(comparison('pages, against node:http, Material UI and emotion', rows, memory));
  const rowsSameRenderer = {};
  for (const figure of Object.keys(kinds).filter((name) => name !== 'landing')) {
    const [ours, theirs] = kinds[figure];
    const us = (seconds) => round(server, ours, seconds);
    rowsSameRenderer[figure] = await alternate(us, (seconds) => round(sameRenderer, theirs, seconds), 3);
  }
  await processes.stop(baseline, 'SIGKILL');
  await processes.stop(sameRenderer, 'SIGKILL');
  say(comparison('the same, with our renderer in Node too', rowsSameRenderer));
  const bare = await bareRenders(pages);
  say(renderings(bare));
  return { rows, rowsSameRenderer, memory, startMilliseconds, bare };
}

/**
 * Rendering alone, in microseconds of processor time per page: no HTTP, no document around it, nothing else running.
 */
async function bareRenders(pages) {
  const bare = {};
  for (const [figure, prefix] of [
    ['landingRendered', '/landing-rendered'],
    ['application', '/application/'],
    ['section', '/section/'],
    ['dashboard', '/dashboard/'],
    ['officeList', '/office-list'],
    ['officeApplication', '/office-application/'],
  ]) {
    const chosen = Object.fromEntries(Object.entries(pages).filter(([path]) => path.startsWith(prefix)));
    const jsons = JSON.stringify(Object.values(chosen).map(({ json }) => json));
    const inNode = (bundle) => {
      const file = join(out, 'bare.json');
      writeFileSync(file, JSON.stringify({ bundle, pages: chosen }));
      return processes.runBeside(node, [join(here, 'baseline.mjs'), file, '--bare', BARE_SECONDS]);
    };
    const sides = {
      ours: () => processes.runBeside(tools, ['render', '--seconds', BARE_SECONDS], jsons),
      stock: () => inNode(STOCK),
      sameRenderer: () => inNode(OUR_RENDERER),
    };
    const micros = { ours: [], stock: [], sameRenderer: [] };
    for (let index = 0; index < 3; index += 1) {
      for (const [side, measure] of Object.entries(sides)) {
        const { done, cpuSeconds } = JSON.parse(await measure());
        micros[side].push((cpuSeconds / done) * 1e6);
      }
    }
    bare[figure] = {
      ours: median(micros.ours),
      stock: median(micros.stock),
      sameRenderer: median(micros.sameRenderer),
      ratio: spread(micros.stock.map((stock, index) => stock / micros.ours[index])),
      // In the same engine: the share of Material UI's documented time that our components and our engine need.
      share: spread(micros.sameRenderer.map((same, index) => same / micros.stock[index])),
    };
  }
  return bare;
}

/** Compares the cached landing page with a handler that only sends the same bytes. */
async function landingAgainstFile(server) {
  const answer = await processes.fetchRaw(server.address, LANDING, { headers: AS_BROWSERS });
  const file = join(out, 'landing.html.br');
  writeFileSync(file, answer.body);
  const address = `127.0.0.1:${await processes.freePort()}`;
  const args = ['static', '--bind', address, '--file', file];
  for (const name of ['content-type', 'content-encoding']) {
    args.push('--header', `${name}:${answer.headers[name]}`);
  }
  const baseline = { ...processes.start('the static file', tools, args), address };
  await processes.untilAnswered(baseline, address, '/');
  const row = await alternate(
    (seconds) => round(server, repeated(asBrowsers(LANDING)), seconds),
    (seconds) => round(baseline, repeated(asBrowsers('/')), seconds),
  );
  await processes.stop(baseline, 'SIGKILL');
  return row;
}

/**
 * Compares saving through the API with the bare statement, on the same database and rows and with the same concurrency.
 */
async function saves(server, applicants, url) {
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

/**
 * Compares uploading a file of 25 MB through the API (tus: created, then sent in one piece) with axum writing the same
 * bytes to a file and flushing them once, on the same disk and with the same client. Ours splits it into parts that are
 * each flushed along with their folder and counted in the database, so that an upload can be resumed from there.
 */
async function uploads(server, { token }, folder) {
  const address = `127.0.0.1:${await processes.freePort()}`;
  const args = ['receive', '--bind', address, '--file', join(folder, 'received')];
  const baseline = { ...processes.start('the bare handler', tools, args), address };
  await processes.untilAnswered(baseline, address, '/');
  const send = (plan) => async (seconds) => {
    const result = JSON.parse(
      await processes.runBeside(tools, ['upload'], JSON.stringify({ ...plan, seconds })),
    );
    return { ...result, perSecond: result.done / result.seconds };
  };
  const row = await alternate(send({ address: server.address, token }), send({ address }));
  await processes.stop(baseline, 'SIGKILL');
  return row;
}

/**
 * Measures from the start of the process to the last byte of a rendered page. The database already exists, as after a
 * restart.
 */
async function coldStarts(folder, databaseUrl) {
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
  return { start: spread(times), rest };
}

function judge(figures) {
  return LIMITS.map((limit) => {
    const value = figures[limit.figure];
    const met = value === undefined ? undefined : limit.least ? value >= limit.least : value <= limit.most;
    return { ...limit, value, met };
  });
}

const say = (text) => stdout.write(`${text}\n`);

async function main() {
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(env.BENCH_DIR ?? tmpdir(), 'matricula-bench-'));
  process.on('exit', () => {
    processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0].model,
    node: processes.run(node, ['--version']).trim(),
    databasesInMemory: statfsSync(folder).type === TMPFS,
    at: new Date().toISOString(),
  };
  say(`${machine.processor}, ${machine.cores} cores, nothing pinned; Node ${machine.node}`);
  say(`${ROUNDS} rounds of ${ROUND_SECONDS} s a side, ${CLIENTS} connections; some minutes in all`);
  writeFileSync(OUR_RENDERER, processes.run(tools, ['bundle'], { maxBuffer: 2 ** 26 }));
  writeFileSync(STOCK, await bundleServer('en', { stock: true }));

  const sqlite = `sqlite:${join(folder, 'bench.db')}`;
  office.fill(product, environmentOf(folder, sqlite), SEASON);
  const server = await startProduct(folder, sqlite);
  await processes.untilAnswered(server, server.address, '/readyz');
  const applicants = await register(server.address, CLIENTS);

  const cookieOfStaff = await office.enter(server.address);
  const dossiers = await office.dossiers(server.address, OFFICE_LIST, cookieOfStaff);
  const pages = await pagesAgainstNode(server, applicants, { cookie: cookieOfStaff, dossiers });
  const file = { landingAgainstFile: await landingAgainstFile(server) };
  say(comparison('files, against axum sending the same bytes from memory', file));

  const saved = { saveSqlite: await saves(server, applicants, sqlite) };
  const sent = { upload: await uploads(server, applicants[0], folder) };
  say(comparison('files of 25 MB, against axum writing them to a file and flushing it', sent));
  const [{ cookie }] = applicants;
  const weighed = {
    landing: await weigh(server.address, LANDING),
    application: await weigh(server.address, APPLICATION, cookie),
    section: await weigh(server.address, SECTION, cookie),
    sectionInSpanish: await weigh(server.address, SECTION, `${cookie}; language=es`),
    dashboard: await weigh(server.address, DASHBOARD, cookie),
    account: await weigh(server.address, ACCOUNT, cookie),
    officeList: await weigh(server.address, OFFICE_LIST, cookieOfStaff),
    officeApplication: await weigh(server.address, dossiers[0], cookieOfStaff),
  };
  const laterInOffice = await weighLater(
    server.address,
    [OFFICE_LIST, ...OFFICE_PAGES, dossiers[0]],
    cookieOfStaff,
  );
  const landingInUse = await weighLandingInUse(server.address, LANDING);
  const seen = { landing: LANDING, application: APPLICATION, section: SECTION, dashboard: DASHBOARD };
  const painted = findChromium()
    ? {
        ...(await slowLine(server.address, seen, cookie)),
        ...(await slowLine(server.address, { register: `${LANDING}?dialog=register` }, '')),
      }
    : undefined;
  await processes.stop(server);

  const programs = processes.findPostgres();
  if (programs) {
    const postgres = await processes.startPostgres(programs, folder);
    const beside = await startProduct(folder, postgres.url);
    await processes.untilAnswered(beside, beside.address, '/readyz');
    const others = await register(beside.address, CLIENTS);
    saved.savePostgres = await saves(beside, others, postgres.url);
    await processes.stop(beside);
    await processes.stop(postgres, 'SIGINT');
  }
  say(comparison('saves, against the bare statement on the same database', saved));
  if (!programs) say('PostgreSQL is not installed here: savePostgres was not measured.');
  if (machine.databasesInMemory)
    say('The databases lie in memory: saves cost no disk. BENCH_DIR chooses another place.');
  say(weights(weighed, landingInUse));
  say(
    '\nlargest paint, and blocking time, at 1.6 Mbit/s, 150 ms, a processor four times slower, nothing cached:',
  );
  const seconds = (time) => `${time.toFixed(2)} s`;
  for (const [name, time] of Object.entries(painted ?? {}))
    say(
      `  ${name}: ${seconds(time.median)} (${seconds(time.low)} to ${seconds(time.high)}), ${time.blocked.toFixed(0)} ms`,
    );
  if (!painted) say('  Chromium is not installed here: it was not measured.');

  const { start, rest } = await coldStarts(folder, sqlite);
  const milliseconds = (time) => `${time.toFixed(0)} ms`;
  const bounds = `${milliseconds(start.low)} to ${milliseconds(start.high)}`;
  say(`\nstart to the first rendered page: ${milliseconds(start.median)} (${bounds});`);
  say(`  the Node baseline: ${milliseconds(pages.startMilliseconds)}`);
  say(
    `at rest with ${ISOLATES} isolates: ${rest.rss.toFixed(0)} MB resident, ${rest.pss.toFixed(0)} MB with shared pages divided\n`,
  );

  const rows = { ...pages.rows, ...file, ...saved, ...sent };
  const ratios = Object.entries(rows).map(([figure, row]) => [
    figure,
    (row.perCpuSecond ?? row.perSecond).median,
  ]);
  const verdicts = judge({
    ...Object.fromEntries(ratios),
    startMilliseconds: start.median,
    restMegabytes: rest.rss,
    sectionRenderShare: pages.bare.section.share.median,
    officeListRenderShare: pages.bare.officeList.share.median,
    landingScriptKilobytes: weighed.landing.js / 1000,
    landingDocumentKilobytes: weighed.landing.html / 1000,
    // In the language with the larger scripts.
    applicantScriptKilobytes: Math.max(weighed.section.js, weighed.sectionInSpanish.js) / 1000,
    applicantStyleKilobytes: weighed.section.css / 1000,
    officeScriptKilobytes: weighed.officeList.js / 1000,
    officeStyleKilobytes: weighed.officeList.css / 1000,
    laterOfficeScriptKilobytes: laterInOffice / 1000,
    sectionPaintSeconds: painted?.section.median,
    registerBlockedMilliseconds: painted?.register.blocked,
  });
  say(verdicts.map(verdict).join('\n'));
  const results = {
    machine,
    verdicts,
    pages,
    file,
    saved,
    sent,
    weights: weighed,
    landingInUse,
    laterInOffice,
    painted,
    start,
    rest,
  };
  writeFileSync(join(out, 'results.json'), JSON.stringify(results, null, 2));
  return verdicts.every(({ bar, met }) => !bar || met !== false);
}

exit((await main()) ? 0 : 1);
