// Plans that are paused by a deferral and ended by a withdrawal, and what a contract locks.

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { desk, notePayment } from './support/desk';
import { accept, decide } from './support/office';
import { newPerson, submittedByApi } from './support/people';
import { planToPay } from './support/plan';
import { expect, expectComplaint, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const seen = async (page: Page) => {
      if (!javaScriptEnabled) return;
      await hydrated(page);
      await expectAccessible(page);
    };

    test('a deferral pauses the plan, and coming back continues it', async ({
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
      const finance = await desk(browser, baseURL!, server, 'finance', reference, javaScriptEnabled);
      await notePayment(finance);

      await page.goto('/dashboard/payments');
      const lines = page.getByRole('region', { name: 'What you pay, and when' }).getByRole('listitem');
      const due = (await lines.nth(1).innerText()).replace(/\s+/g, ' ');
      decide(server, reference, ['defer', '--intake', `${new Date().getUTCFullYear() + 1}-08`]);
      await page.goto('/dashboard/payments');
      await expect(page.getByText('Nothing is due for now')).toBeVisible();
      await expect(lines.first()).toContainText('Paid');
      await expect(lines.nth(1)).toContainText('Paused');
      await seen(page);
      await finance.goto(finance.url().replace(/[?#].*/, ''));
      await expect(finance.getByText('Paused until studies start in')).toBeVisible();
      await seen(finance);

      decide(server, reference, ['resume', '--conditions-checked']);
      await page.goto('/dashboard/payments');
      await expect(page.getByText('Nothing is due for now')).toHaveCount(0);
      await expect(lines.first()).toContainText('Paid');
      await expect(lines.nth(1)).toContainText('To be paid');
      expect((await lines.nth(1).innerText()).replace(/\s+/g, ' ')).not.toBe(due);
      // The receipt of the payment is a file.
      const receipt = page.getByRole('link', { name: /^Receipt \(PDF\)/ });
      const file = await context.request.get((await receipt.getAttribute('href'))!);
      expect([file.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf']);
      await finance.context().close();
    });

    test('a withdrawal stops the plan, and Finance sees what goes back', async ({
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
      const finance = await desk(browser, baseURL!, server, 'finance', reference, javaScriptEnabled);
      await notePayment(finance);

      await page.goto('/dashboard');
      await page.getByText('Withdraw your application', { exact: true }).first().click();
      await page.getByLabel('Why are you withdrawing?').fill('I move.');
      await page.getByRole('button', { name: 'Withdraw your application' }).click();
      await finance.goto(finance.url().replace(/[?#].*/, ''));
      await expect(finance.getByText(/^Suggested to go back: \$/)).toBeVisible();
      await expect(finance.getByText(/By the rules \d+ % of what was paid goes back/)).toBeVisible();
      await seen(finance);
      await finance.getByRole('link', { name: /^Refund: Payment/ }).click();
      await expect(finance.getByLabel('Amount')).not.toHaveValue('');
      await finance.getByLabel('Amount').fill('1,000');
      await finance.getByLabel('Reason').fill('Withdrawn; the rest pays for what was used.');
      await finance.getByRole('button', { name: 'Note the refund' }).click();
      await expect(finance.getByText('It is written into the ledger.')).toBeVisible();
      await finance.getByRole('button', { name: 'Nothing more goes back' }).click();
      await expect(finance.getByText('It is noted: nothing more goes back.')).toBeVisible();
      await expect(finance.getByRole('button', { name: 'Nothing more goes back' })).toHaveCount(0);
      await finance.context().close();
    });

    test('a contract locks the plan, and one that does not fit is warned of', async ({
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
      const owner = await desk(browser, baseURL!, server, 'owner', reference, javaScriptEnabled);
      await owner.getByRole('link', { name: 'Contract', exact: true }).click();
      await owner.getByRole('button', { name: 'Prepare a contract' }).click();
      await owner.getByRole('button', { name: 'Send it to the applicant' }).click();
      await expect(owner.getByRole('status').first()).toContainText('The contract is sent.');

      await page.goto('/dashboard/funding');
      await expect(page.getByText('Your contract says how you pay. Write to admissions')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Save the plan' })).toHaveCount(0);
      await seen(page);

      await owner.getByRole('link', { name: 'Funding', exact: true }).click();
      await owner.getByRole('link', { name: 'Change the plan' }).click();
      await owner.getByLabel('Each month').fill('10,000');
      await owner.getByRole('button', { name: 'Save the plan' }).click();
      await expect(owner.getByText('The plan is kept.')).toBeVisible();
      await owner.getByRole('link', { name: 'Contract', exact: true }).click();
      await expect(
        owner.getByText('This contract says something else about paying than the plan'),
      ).toBeVisible();
      await seen(owner);
      await owner.getByRole('button', { name: 'Take it back and prepare a new one' }).click();
      await expect(owner.getByRole('button', { name: 'Send it to the applicant' })).toBeVisible();
      await expect(
        owner.getByText('This contract says something else about paying than the plan'),
      ).toHaveCount(0);
      await owner.context().close();
    });

    test('a contract that nobody signs in time is over, and another one is sent', async ({
      browser,
      ownServer,
    }) => {
      test.slow();
      const baseURL = ownServer.url;
      const context = await browser.newContext({ javaScriptEnabled, baseURL });
      const page = await context.newPage();
      const { reference } = await submittedByApi(context.request, newPerson());
      accept(ownServer, reference, 16);
      await planToPay(page, '4,800', '5,000');
      const first = await desk(browser, baseURL, ownServer, 'finance', reference, javaScriptEnabled);
      await first.getByRole('link', { name: 'Contract', exact: true }).click();
      await first.getByRole('button', { name: 'Prepare a contract' }).click();
      await first.getByRole('button', { name: 'Send it to the applicant' }).click();
      await expect(first.getByRole('status').first()).toContainText('The contract is sent.');
      await first.context().close();

      // Fifteen days later.
      expectComplaint(/net::ERR_/);
      await ownServer.stop();
      await ownServer.launch(15 * 24 * 60);
      await page.goto('/dashboard/contract');
      await expect(
        page.getByText('The deadline to sign it has passed. Write to us if you still want to sign.'),
      ).toBeVisible();
      await expect(page.getByRole('button', { name: 'I agree to sign electronically' })).toHaveCount(0);
      await seen(page);
      const second = await desk(browser, baseURL, ownServer, 'finance', reference, javaScriptEnabled);
      await second.getByRole('link', { name: 'Contract', exact: true }).click();
      await expect(second.getByText('Expired').first()).toBeVisible();
      await second.getByRole('button', { name: 'Prepare another contract' }).click();
      await second.getByRole('button', { name: 'Send it to the applicant' }).click();
      await expect(second.getByRole('status').first()).toContainText('The contract is sent.');
      await second.context().close();
      await page.goto('/dashboard/contract');
      await page.getByRole('button', { name: 'I agree to sign electronically' }).click();
      await expect(page.getByRole('status')).toContainText('You agreed to sign electronically.');
      await context.close();
    });
  });
}
