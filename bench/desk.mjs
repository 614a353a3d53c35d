// Part three of make bench: how long staff wait in Chromium with ten thousand applications, split into server and
// browser time. Prints a table, writes bench/out/desk.json, and fails if a bar is missed.
//
//   node bench/desk.mjs         after: cargo build --profile dist --bin matricula --example bench_baseline
//   BENCH_PROFILE=debug         another build
//
// Each soft navigation has its baseline next to it: the same page loaded as a document, until it responds to a key.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { env, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { logIn, startFilled } from './filled.mjs';
import * as processes from './processes.mjs';
import { desk, verdict } from './report.mjs';

const APPLICATIONS = 10_000;
const TIMES = 40;
/** The first runs fetch what is cached afterwards. */
const WARM = 4;
/** Limit in milliseconds for the 95th percentile of soft navigations. */
const MAX_SOFT = 150;
const LIST = '/admin-panel/applications?tab=all';

const out = fileURLToPath(new URL('out', import.meta.url));
const say = (text) => stdout.write(`${text}\n`);
const at = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];

/* Runs in the page. */

/** Does something and waits for the frame after the one that shows it. */
async function timed(act, seen, index) {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const before = seen();
  performance.clearResourceTimings();
  const started = performance.now();
  act(index);
  while (seen() === before) {
    await nextFrame();
    if (performance.now() - started > 10_000) throw new Error(`${act}: nothing is seen`);
  }
  await nextFrame();
  const took = performance.now() - started;
  const [fetched] = performance.getEntriesByType('resource').filter((one) => one.initiatorType === 'fetch');
  return { took, server: fetched ? fetched.responseStart - fetched.requestStart : 0 };
}

const firstRow = () => document.querySelector('[data-row]')?.dataset.row;
const rowsShown = () => [...document.querySelectorAll('[data-row]')].map((link) => link.dataset.row).join();
const order = () => document.querySelector('th.list-name')?.ariaSort;
const tab = () => document.querySelector('.list-top nav a[aria-current]')?.textContent;
const applicant = () => document.querySelector('.dossier-head h1')?.textContent;
const panel = () =>
  document.querySelector('.side-panel .panel-body[aria-busy=false]') &&
  document.querySelector('.side-panel h2').textContent;

const find = (index) => {
  const field = document.querySelector('.list-tools [name=q]');
  field.value = ['ba', 'bade'][index % 2];
  field.form.requestSubmit();
};
const sort = () => document.querySelector('th.list-name a').click();
const otherTab = () => document.querySelector('.list-top nav a:not([aria-current])').click();
const open = () => document.querySelector('[data-row]').click();
const back = () => document.querySelector('.dossier-ways a').click();
const read = (index) => {
  document.querySelectorAll('[data-row]')[index % 20].focus();
  document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true }),
  );
};
const close = () => document.querySelector('.side-panel [aria-label="Close the preview"]').click();

/* Runs in Node. */

/**
 * What is done repeatedly, and how its result is detected. Steps that are not `counted` lead back to where the next one
 * begins. `place` is the same page as a document, if that is not the current address.
 */
const ACTS = {
  'toolbar search': [{ act: find, seen: rowsShown, counted: true }],
  'sort by a head': [{ act: sort, seen: order, counted: true }],
  'another tab': [{ act: otherTab, seen: tab, counted: true }],
  'open an application': [
    { act: open, seen: applicant, counted: true },
    { act: back, seen: firstRow },
  ],
  'back to the list': [
    { act: open, seen: applicant },
    { act: back, seen: firstRow, counted: true },
  ],
  'side panel': [
    { act: read, seen: panel, counted: true, place: () => document.querySelector('.side-panel h2 a').href },
    { act: close, seen: panel },
  ],
};

async function main() {
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(env.BENCH_DIR ?? tmpdir(), 'matricula-bench-desk-'));
  process.on('exit', () => {
    processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const server = await startFilled(folder, `sqlite:${join(folder, 'desk.db')}`, APPLICATIONS);
  const url = `http://${server.address}`;
  const running = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  });
  const context = await running.newContext({ viewport: { width: 1280, height: 900 }, baseURL: url });
  const cookies = (await logIn(server)).split('; ').map((each) => each.split('='));
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  const ready = () =>
    page.waitForFunction(() => {
      const screen = document.querySelector('#root > *');
      return screen !== null && Object.keys(screen).some((name) => name.startsWith('__reactFiber'));
    });
  /** Milliseconds from the request of a document until its page responds, and the server's share of them. */
  const load = async (place) => {
    if (place) await page.goto(place);
    await ready();
    return page.evaluate(() => {
      const [{ requestStart, responseStart }] = performance.getEntriesByType('navigation');
      return { took: performance.now(), server: responseStart - requestStart };
    });
  };
  const rows = {};
  for (const [name, steps] of Object.entries(ACTS)) {
    const measured = [];
    const whole = [];
    let beside = LIST;
    await load(LIST);
    for (let index = -WARM; index < TIMES; index += 1) {
      for (const { act, seen, counted, place = () => location.href } of steps) {
        const time = await page.evaluate(`(${timed})(${act}, ${seen}, ${index + WARM})`);
        if (!counted) continue;
        beside = await page.evaluate(place);
        if (index >= 0) measured.push(time);
      }
    }
    for (let index = 0; index < TIMES / 4; index += 1) whole.push(await load(beside));
    rows[name] = told(measured, whole);
  }
  // The next task is a full document: another user may have taken it in the meantime.
  const next = [];
  await load('/admin-panel/work');
  for (let index = -WARM; index < TIMES; index += 1) {
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate(() => document.getElementById('next-task').click()),
    ]);
    const time = await load();
    if (index >= 0) next.push(time);
  }
  rows['next task (a document)'] = told(next, []);
  await running.close();
  await processes.stop(server);
  say(desk(`SQLite, ${APPLICATIONS.toLocaleString('en-US')} applications, Chromium`, rows));
  const verdicts = Object.entries(rows)
    .filter(([name]) => ACTS[name])
    .map(([name, { p95 }]) => ({ figure: `${name}, ms at p95`, most: MAX_SOFT, value: p95 }))
    .map((row) => ({ ...row, bar: true, met: row.value <= row.most }));
  say(verdicts.map(verdict).join('\n'));
  writeFileSync(join(out, 'desk.json'), JSON.stringify({ rows, verdicts }, null, 2));
  return verdicts.every(({ met }) => met);
}

function told(measured, whole) {
  const took = measured.map((time) => time.took);
  const document =
    whole.length > 0
      ? at(
          whole.map((time) => time.took),
          0.5,
        )
      : undefined;
  const p50 = at(took, 0.5);
  return {
    p50,
    p95: at(took, 0.95),
    server: at(
      measured.map((time) => time.server),
      0.5,
    ),
    document,
    ratio: document && p50 / document,
  };
}

exit((await main()) ? 0 : 1);
