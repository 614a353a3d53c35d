// Who pays, in which instalments, and what Finance records: the same with and without JavaScript.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { accept } from './support/office';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newStaff } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a plan is made, confirmed and paid', async ({ page, context, server, browser, baseURL }) => {
      const heard = complaints(page);
      const { reference } = await submittedByApi(context.request, newPerson());
      accept(server, reference, 16);
      await page.goto('/dashboard');
      await page.getByText('Accept the offer', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, accept the offer' }).click();
      await page.getByRole('link', { name: 'Plan how you will pay' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paying for your studies');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      // The plan starts from the answers in the application.
      await expect(page.getByLabel('Employer')).toHaveValue('24,800');
      await page.getByLabel('Employer').fill('22,799.99');
      if (javaScriptEnabled) await expect(page.getByText('$2,000.01 still to cover')).toBeVisible();
      await page.getByLabel('Self-pay').fill('2000.01');
      if (javaScriptEnabled) await expect(page.getByText('It adds up')).toBeVisible();
      await page.getByLabel('Up front').fill('1,000');
      await page.getByLabel('Each month').fill('lots');
      await page.getByRole('button', { name: 'Save the plan' }).click();
      await expect(page.getByLabel('Each month')).toHaveAccessibleDescription(
        /Enter an amount in dollars, such as 1,200\.50\./,
      );
      await expect(page.getByLabel('Self-pay')).toHaveValue('2000.01');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Each month').fill('300');
      await page.getByRole('button', { name: 'Save the plan' }).click();
      await expect(page.getByText('Your plan is saved.')).toBeVisible();
      const lines = page.getByRole('region', { name: 'What you pay, and when' }).getByRole('listitem');
      await expect(lines).toHaveCount(5);
      await expect(lines.last()).toContainText('$100.01');
      if (javaScriptEnabled) await expectAccessible(page);

      const office = await browser.newContext({ javaScriptEnabled, ...(baseURL ? { baseURL } : {}) });
      const desk = await office.newPage();
      await logInStaff(desk, newStaff(server, 'finance'));
      await desk.goto(`/admin-panel/applications?tab=all&q=${reference}`);
      await desk
        .getByRole('link', { name: /^Demo / })
        .first()
        .click();
      await desk.getByRole('link', { name: 'Funding', exact: true }).click();
      if (javaScriptEnabled) {
        await hydrated(desk);
        await expectAccessible(desk);
      }
      await desk.getByRole('link', { name: 'Decide about Employer' }).click();
      await desk.getByLabel('What is known').selectOption('refused');
      await desk.getByRole('button', { name: 'Keep this' }).click();
      await expect(desk.getByLabel('Reason')).toHaveAccessibleDescription(/Say why, for the applicant\./);
      await desk.getByLabel('What is known').selectOption('confirmed');
      await desk.getByRole('button', { name: 'Keep this' }).click();
      await expect(desk.getByText('What you know of the source is kept.')).toBeVisible();
      await desk.getByRole('link', { name: 'Note a payment' }).click();
      await expect(desk.getByRole('region', { name: 'Note a payment' })).toBeVisible();
      await desk.getByLabel('Purpose').selectOption('instalment-1');
      await desk.getByLabel('Amount').fill('1000');
      await desk.getByLabel('Number or note').fill('Check no. 7');
      if (javaScriptEnabled) await expectAccessible(desk);
      await desk.getByRole('button', { name: 'Note the payment' }).click();
      await expect(desk.getByText('It is written into the ledger.')).toBeVisible();
      await expect(desk.getByRole('row', { name: /Payment: Payment 1/ })).toContainText('Check no. 7');
      if (javaScriptEnabled) await expectAccessible(desk);
      await office.close();

      await page.goto('/dashboard/payments');
      if (javaScriptEnabled) await hydrated(page);
      await expect(page.getByText('$1,000.01')).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'Payment 1' }).first()).toContainText('Paid');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.goto('/dashboard/funding');
      await expect(page.getByText('Your plan covers tuition, and everything is confirmed.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Save the plan' })).toHaveCount(0);
      if (javaScriptEnabled) expect(heard.filter((each) => !each.includes('status of 422'))).toEqual([]);
    });
  });
}
