// Page weights: bytes as received by a browser that accepts brotli. make bench reports more.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { sectionPath } from './support/answers';
import { hydrated } from './support/browser';
import { pages } from './support/pages';
import { newPerson, registerByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

/** The limit of each figure, shared with the bench. */
const most = JSON.parse(
  readFileSync(new URL('../../bench/page-weights.json', import.meta.url), 'utf8'),
) as Record<
  | 'applicantScriptKilobytes'
  | 'applicantStyleKilobytes'
  | 'officeScriptKilobytes'
  | 'officeStyleKilobytes'
  | 'laterOfficeScriptKilobytes',
  number
>;

/** Returns the files loaded by the open page with that ending, including idle work: bytes by address. */
async function loaded(page: Page, ending: '.js' | '.css'): Promise<Map<string, number>> {
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  const entries = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => {
      const { name, encodedBodySize } = entry as PerformanceResourceTiming;
      return [new URL(name).pathname, encodedBodySize] as const;
    }),
  );
  return new Map(entries.filter(([name]) => name.endsWith(ending)));
}

const kilobytes = (sizes: Map<string, number>) =>
  [...sizes.values()].reduce((total, size) => total + size, 0) / 1000;

for (const language of ['en', 'es']) {
  test(`an applicant’s first page weighs no more than it may (${language})`, async ({
    signedInPage: page,
    baseURL,
  }) => {
    await page.context().addCookies([{ name: 'language', value: language, url: baseURL! }]);
    for (const path of [sectionPath('employment'), '/bachelor/application', '/bachelor/application/check']) {
      await page.goto(path);
      const [scripts, styles] = [await loaded(page, '.js'), await loaded(page, '.css')];
      expect(scripts.size, path).toBeGreaterThan(3);
      expect(kilobytes(scripts), path).toBeLessThanOrEqual(most.applicantScriptKilobytes);
      expect(kilobytes(styles), path).toBeLessThanOrEqual(most.applicantStyleKilobytes);
    }
  });
}

test('neither the office’s first page nor a later one weighs more than it may', async ({ page, server }) => {
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/applications');
  const first = await loaded(page, '.js');
  expect(kilobytes(first)).toBeLessThanOrEqual(most.officeScriptKilobytes);
  expect(kilobytes(await loaded(page, '.css'))).toBeLessThanOrEqual(most.officeStyleKilobytes);
  for (const path of ['applications/figures', 'questionnaires', 'contracts', 'finance', 'settings/mails']) {
    await page.goto(`/admin-panel/${path}`);
    const later = [...(await loaded(page, '.js'))].filter(([name]) => !first.has(name));
    expect(kilobytes(new Map(later)), path).toBeLessThanOrEqual(most.laterOfficeScriptKilobytes);
  }
});

for (const { name, path, owner } of pages.filter((each) => !/^\/(bachelor|masters)\/apply/.test(each.path))) {
  test(`${name}: its document names every script that it runs`, async ({ page, context }) => {
    if (owner === 'applicant') await registerByApi(context.request, newPerson(), 'ba');
    // What is loaded when idle belongs to other pages.
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
    const document = await page.goto(path);
    const html = await document!.text();
    const scripts = [...(await loaded(page, '.js')).keys()];
    expect(scripts.filter((script) => !html.includes(`"${script}"`))).toEqual([]);
  });
}
