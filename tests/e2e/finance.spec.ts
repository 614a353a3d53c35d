// Finance's page over all applications: what is due, the months, and files for other systems.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { logInStaff, newStaff } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('Finance sees all money on one page and takes it along', async ({ page, server }) => {
      const heard = complaints(page);
      await logInStaff(page, newStaff(server, 'finance'));
      await page.goto('/admin-panel/applications');
      await page.getByRole('link', { name: 'Finance', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Finance');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      const months = page.getByRole('region', { name: 'Expected and received by month' });
      await expect(months.getByRole('row')).toHaveCount(13);
      for (const list of ['Overdue', 'Failed', 'Refunds waiting', 'Unmatched', 'Due']) {
        await page.getByRole('link', { name: new RegExp(`^${list} \\(\\d+\\)$`) }).click();
        await expect(page.getByRole('navigation', { name: 'Lists' }).locator('[aria-current]')).toHaveText(
          new RegExp(`^${list} `),
        );
      }

      await page.getByLabel('First day').fill('2026-05-31');
      await page.getByLabel('Last day').fill('2026-05-01');
      await page.getByRole('button', { name: 'Save the ledger' }).click();
      await expect(page.getByLabel('Last day')).toHaveAccessibleDescription(
        /Choose the first day or one after it/,
      );
      await expect(page.getByLabel('First day')).toHaveValue('2026-05-31');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByLabel('Last day').fill('2026-06-30');
      const [ledger] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save the ledger' }).click(),
      ]);
      expect(ledger.suggestedFilename()).toBe('ledger.csv');
      const [enrolled] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as JSON' }).click(),
      ]);
      expect(enrolled.suggestedFilename()).toBe('enrolled.json');
      if (javaScriptEnabled) expect(heard.filter((each) => !each.includes('status of 422'))).toEqual([]);
    });
  });
}
