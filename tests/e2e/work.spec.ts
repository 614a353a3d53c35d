// Tasks across all applications: taken, put back, and worked through.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { newPerson, sendIdentity, submittedByApi } from './support/people';
import { logInStaff, newStaff } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a task is found, taken, put back and done', async ({ page, server, playwright, baseURL }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: javaScriptEnabled ? 'Worked' : 'Plainworked' };
      const { token } = await submittedByApi(request, person);
      await sendIdentity(request, token);
      await request.dispose();
      await logInStaff(page, newStaff(server, 'reviewer'));
      await expect(page).toHaveURL('/admin-panel/work');
      await expect(page.getByRole('main')).toContainText('Nothing waits for you.');
      await page
        .getByRole('navigation', { name: 'Whose tasks' })
        .getByRole('link', { name: /^Nobody’s/ })
        .click();
      await page
        .getByRole('navigation', { name: 'Kinds of tasks' })
        .getByRole('link', { name: /^News/ })
        .click();
      await expect(page).toHaveURL(/task=alert/);
      // Newest last: this application's task may be on a later page.
      const row = page.getByRole('row').filter({ hasText: person.lastName });
      while ((await row.count()) === 0) await page.getByRole('link', { name: 'Next page' }).click();
      await expect(row).toContainText('Submitted');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await row.getByRole('button', { name: /^Take/ }).click();
      await expect(page.getByRole('status').first()).toContainText('The task is yours.');
      const menu = page.getByRole('navigation', { name: 'Office' });
      await expect(menu.getByRole('link', { name: /^Work/ })).toContainText('1');
      await menu.getByRole('link', { name: /^Work/ }).click();
      await expect(row).toContainText('You');
      await row.getByRole('button', { name: /^Put back/ }).click();
      await expect(page.getByRole('status').first()).toContainText('nobody’s again');
      await expect(page.getByRole('main')).toContainText('Nothing waits for you.');

      // The next task is the most urgent unassigned one, and leads to where it is done.
      await page.getByRole('button', { name: 'Next task' }).click();
      await expect(page).toHaveURL(/\/admin-panel\/applications\/[\w-]+/);
      await expect(menu.getByRole('link', { name: /^Work/ })).toContainText('1');
      const first = page.url();
      await page.getByRole('button', { name: 'Next task' }).click();
      await expect(page).not.toHaveURL(first);
      if (javaScriptEnabled) expect(heard).toEqual([]);
    });
  });
}

test('a list of tasks is worked through by keyboard', async ({ browser, ownServer }) => {
  test.setTimeout(120_000);
  const context = await browser.newContext({ baseURL: ownServer.url });
  const page = await context.newPage();
  ownServer.command(['seed', '--demo', '--season', '60']);
  await logInStaff(page, newStaff(ownServer, 'owner'));
  await expect(page).toHaveURL('/admin-panel/work');
  await hydrated(page);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Work');
  // `n` goes from one task to the next, each of another application.
  const seen = new Set<string>();
  for (let task = 0; task < 20; task++) {
    const before = page.url();
    await page.keyboard.press('n');
    await expect(page).not.toHaveURL(before);
    await expect(heading).not.toHaveText('Work');
    await hydrated(page);
    seen.add(new URL(page.url()).pathname);
  }
  expect(seen.size).toBeGreaterThan(1);
  // `j` and `k` move through the list.
  await page.goto('/admin-panel/work?whose=team');
  await hydrated(page);
  const tasks = page.getByRole('rowheader').getByRole('link');
  await page.keyboard.press('j');
  await expect(tasks.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(tasks.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin-panel\/applications\//);
  await context.close();
});
