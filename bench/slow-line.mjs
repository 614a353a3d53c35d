// How long a user with a slow connection and a slow phone waits for the content they came for: the largest contentful
// paint in Chromium with an empty cache. And how long scripts keep the page from responding: the blocking time, which
// is what long tasks take beyond 50 ms.
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';

/** 1.6 Mbit/s in both directions, 150 ms round trip, a processor four times slower. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const SLOWER = 4;
const LOADS = 5;
/** The largest paint is final once it has not changed for this long. */
const QUIET_MILLISECONDS = 1000;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

async function load(context, url) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(() => {
    globalThis.largestPaint = 0;
    globalThis.blocked = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.blocked += entry.duration - 50;
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.largestPaint = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  const answer = await page.goto(url, { waitUntil: 'load' });
  if (answer?.status() !== 200) throw new Error(`${url}: ${answer?.status()}`);
  let painted = 0;
  for (;;) {
    await page.waitForTimeout(QUIET_MILLISECONDS);
    const now = await page.evaluate(() => globalThis.largestPaint);
    if (now > 0 && now === painted) break;
    painted = now;
  }
  const blocked = await page.evaluate(() => globalThis.blocked);
  await page.close();
  return { painted, blocked };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Measures several loads of each page: median, lowest and highest seconds until the largest paint, and the milliseconds
 * it was blocked. `cookie` is empty for a user who is not signed in.
 */
export async function slowLine(address, pages, cookie) {
  const running = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  });
  const times = {};
  for (const [name, path] of Object.entries(pages)) {
    const loads = [];
    for (let index = 0; index < LOADS; index += 1) {
      const context = await running.newContext(PHONE);
      const cookies = cookie.split('; ').flatMap((each) => (each ? [each.split('=')] : []));
      await context.addCookies(
        cookies.map(([key, value]) => ({ name: key, value, url: `http://${address}` })),
      );
      loads.push(await load(context, `http://${address}${path}`));
      await context.close();
    }
    const seconds = loads.map(({ painted }) => painted / 1000);
    times[name] = {
      median: median(seconds),
      low: Math.min(...seconds),
      high: Math.max(...seconds),
      blocked: median(loads.map(({ blocked }) => blocked)),
    };
  }
  await running.close();
  return times;
}
