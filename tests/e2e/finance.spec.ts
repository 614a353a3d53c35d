// Finance's page across all applications: what is due, the months, exports, and bookings that a second person approves.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { desk, notePayment } from './support/desk';
import { accept } from './support/office';
import { newPerson, submittedByApi } from './support/people';
import { planToPay } from './support/plan';
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
      for (const list of ['Overdue', 'Failed', 'Refunds waiting', 'To approve', 'Unmatched', 'Due']) {
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

    test('a large refund waits until a second person has approved it', async ({
      page,
      context,
      server,
      browser,
      baseURL,
    }) => {
      test.slow();
      const { reference } = await submittedByApi(context.request, newPerson());
      accept(server, reference, 16);
      await planToPay(page, '4,800', '5,000');
      const first = await desk(browser, baseURL!, server, 'finance', reference, javaScriptEnabled);
      const funding = first.url();
      // A limit that no refund in other tests exceeds.
      await first.goto('/admin-panel/settings/second-person');
      await first.getByLabel('Amount in US dollars').fill('4700');
      await first.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(first.getByText('It holds from now on.')).toBeVisible();
      await first.goto(funding);
      await notePayment(first);
      await first.getByRole('link', { name: /^Refund: Payment/ }).click();
      await expect(first.getByText(/From \$4,700 on it waits until somebody else of Finance/)).toBeVisible();
      await first.getByLabel('Amount').fill('4,800');
      await first.getByLabel('Reason').fill('Paid by mistake.');
      await first.getByRole('button', { name: 'Note the refund' }).click();
      await expect(first.getByText('It waits for a second person.')).toBeVisible();
      const waiting = first.getByRole('region', { name: 'Waits for a second person' });
      await expect(waiting).toContainText('Refund, $4,800');
      await expect(waiting.getByRole('button', { name: /^Approve/ })).toHaveCount(0);
      if (javaScriptEnabled) {
        await hydrated(first);
        await expectAccessible(first);
      }

      const second = await desk(browser, baseURL!, server, 'finance', reference, javaScriptEnabled);
      await second.goto('/admin-panel/finance');
      await second.getByRole('link', { name: /^To approve \(\d+\)$/ }).click();
      await expect(second.getByRole('row').filter({ hasText: reference })).toContainText('Paid by mistake.');
      await second.getByRole('row').filter({ hasText: reference }).getByRole('link').click();
      await second.getByRole('link', { name: 'Decline $4,800' }).click();
      await second.getByRole('button', { name: 'Decline it' }).click();
      await expect(second.getByLabel('Reason')).toHaveAccessibleDescription(/Say why, for who has asked/);
      if (javaScriptEnabled) {
        await hydrated(second);
        await expectAccessible(second);
      }
      await second.getByRole('button', { name: 'Approve $4,800' }).click();
      await expect(second.getByText('It is approved and booked.')).toBeVisible();
      await expect(second.getByRole('region', { name: 'Waits for a second person' })).toHaveCount(0);
      await expect(second.getByRole('region', { name: 'Ledger', exact: true })).toContainText('approved by');
      await first.context().close();
      await second.context().close();
    });
  });
}
