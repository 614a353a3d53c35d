// The application fee: set by an Owner, then paid by card, or waived by a code or because of need; only then is the
// interview booked.

import type { Page } from '@playwright/test';
import { expectAccessibleMidway } from './support/accessible';
import { desk, ownersPage } from './support/desk';
import { AMOUNT, PAGE, setFee } from './support/fee';
import { mailsTo } from './support/mailbox';
import { newPerson, submittedByApi } from './support/people';
import { Server } from './support/server';
import { logInStaff, newStaff, tab } from './support/staff';
import { CARDS, expect, lend, payOnPage, test as base } from './support/stripe';
import { complete } from './support/submission';

// What is set here would affect all tests, so each has a server of its own.
const test = base.extend<{ ownShop: Server }>({
  ownShop: async ({ stripe, server, browser }, use) => {
    const shop = await Server.start(stripe.configuration);
    shop.seed();
    await lend({ stripe, server, browser }, shop, use);
  },
  baseURL: ({ ownShop }, use) => use(ownShop.url),
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Chooses the first time there is, and books it. */
async function bookInterview(page: Page): Promise<void> {
  await page.locator('button[name="startsAt"]').first().click();
  await page.getByRole('button', { name: 'Book my interview' }).click();
  await expect(heading(page)).toHaveText('Thank you. Your interview is booked.');
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const accessible = async (page: Page) => {
      if (javaScriptEnabled) await expectAccessibleMidway(page);
    };

    test('an Owner sets it, and somebody pays it by card and books the interview', async ({
      page,
      context,
      browser,
      ownShop,
    }) => {
      test.slow();
      await page.goto('/bachelor/apply');
      await expect(page.getByRole('main')).not.toContainText('$75');
      const owner = await ownersPage(browser, ownShop, javaScriptEnabled);
      await owner.goto('/admin-panel/settings');
      await owner.getByRole('link', { name: 'Application fee, bachelor’s program' }).click();
      await owner.getByLabel(AMOUNT, { exact: true }).fill('a little');
      await owner.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(owner.getByRole('alert')).toContainText('Enter a whole number');
      await expect(owner.getByLabel(AMOUNT, { exact: true })).toHaveValue('a little');
      await accessible(owner);
      await setFee(owner);
      await page.goto('/bachelor/apply');
      await expect(page.getByRole('main')).toContainText('$75');

      // What it will be is told before the submission, and what to do after it.
      const person = newPerson();
      await complete(context.request, person);
      await page.goto('/bachelor/application/check');
      await expect(page.getByRole('region', { name: 'Application fee', exact: true })).toContainText('$75');
      await accessible(page);
      await page.getByRole('checkbox', { name: /truthfully/ }).check();
      await page.getByRole('button', { name: 'Submit your application' }).click();
      await expect(page).toHaveURL('/thankyou');
      await expect(page.getByText('You pay the application fee')).toBeVisible();
      await accessible(page);
      await page.goto('/dashboard');
      await expect(page.getByText('It is your turn: pay the application fee.')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Application fee', exact: true })).toContainText('$75');
      await accessible(page);
      await page.goto('/schedule');
      await expect(page.getByRole('heading', { name: 'Pay the application fee first' })).toBeVisible();
      await expect(page.locator('button[name="startsAt"]')).toHaveCount(0);
      const [received] = await mailsTo(context.request, person.email);
      expect(received!.text).toContain('$75');
      expect(received!.text).toContain(PAGE);

      await page.getByRole('main').getByRole('link', { name: 'See the application fee' }).click();
      await expect(page).toHaveURL(PAGE);
      await expect(heading(page)).toHaveText('Application fee');
      await accessible(page);
      await page.getByRole('button', { name: 'Pay $75 by card' }).click();
      await expect(heading(page)).not.toHaveText('Application fee');
      const hosted = page.url();
      await payOnPage(page, CARDS.declined);
      await expect(page.getByText('Your card was declined.')).toBeVisible();
      await page.getByRole('link', { name: 'Back' }).click();
      await expect(page.getByText('Nothing was paid. You can try again at any time.')).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${PAGE}\\?done=not-paid$`));
      await page.getByRole('button', { name: 'Pay $75 by card' }).click();
      await expect(page).toHaveURL(hosted);
      await payOnPage(page, CARDS.good);
      await expect(page.getByText('Thank you. Your payment has arrived.')).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${PAGE}\\?done=paid$`));
      await expect(page.getByRole('main')).toContainText('Paid');
      await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0);
      await accessible(page);
      const receipt = await page.getByRole('link', { name: 'Receipt (PDF)' }).getAttribute('href');
      const file = await context.request.get(receipt!);
      expect(file.headers()['content-type']).toBe('application/pdf');

      await page.getByRole('main').getByRole('link', { name: 'Book your interview' }).click();
      await bookInterview(page);
      await owner.close();
    });

    test('a code waives it', async ({ page, context, browser, ownShop }) => {
      test.slow();
      const owner = await ownersPage(browser, ownShop, javaScriptEnabled);
      await setFee(owner);
      await owner.goto('/admin-panel/finance');
      await owner.getByRole('main').getByRole('link', { name: 'Fee codes' }).click();
      await expect(heading(owner)).toHaveText('Fee codes');
      await accessible(owner);
      const code = owner.locator('input[name="code"]');
      await code.fill('gala 2026');
      await owner.getByLabel('Maximum uses (optional)').fill('many');
      await owner.getByLabel('Note (optional)').fill('For guests of the gala');
      await owner.getByRole('button', { name: 'Create the code' }).click();
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      await expect(owner.getByLabel('Maximum uses (optional)')).toHaveAttribute('aria-invalid', 'true');
      await expect(owner.getByLabel('Note (optional)')).toHaveValue('For guests of the gala');
      await accessible(owner);
      await code.fill('gala-2026');
      await owner.getByLabel('Maximum uses (optional)').fill('1');
      await owner.getByRole('button', { name: 'Create the code' }).click();
      await expect(owner.getByRole('status')).toContainText('The code is created.');
      const row = owner.getByRole('row').filter({ hasText: 'GALA-2026' });
      await expect(row).toContainText('0 of 1');
      await accessible(owner);

      await submittedByApi(context.request, newPerson());
      await page.goto(PAGE);
      await page.getByLabel('Code', { exact: true }).fill('gala-2025');
      await page.getByRole('button', { name: 'Use the code' }).click();
      await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(
        /We do not know this code\./,
      );
      await expect(page.getByLabel('Code', { exact: true })).toHaveValue('gala-2025');
      await accessible(page);
      await page.getByLabel('Code', { exact: true }).fill('gala-2026');
      await page.getByRole('button', { name: 'Use the code' }).click();
      await expect(page.getByText('Thank you. Your code is accepted.')).toBeVisible();
      await expect(page.getByRole('main')).toContainText('Nothing to pay');
      await expect(page.getByRole('main')).toContainText('GALA-2026');
      await accessible(page);

      // Somebody else is too late for it.
      const other = await browser.newContext({ baseURL: ownShop.url, javaScriptEnabled });
      await submittedByApi(other.request, newPerson());
      const late = await other.newPage();
      await late.goto(PAGE);
      await late.getByLabel('Code', { exact: true }).fill('GALA-2026');
      await late.getByRole('button', { name: 'Use the code' }).click();
      await expect(late.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(
        /This code has been used up\./,
      );
      await other.close();
      await owner.goto('/admin-panel/fee-codes');
      await expect(row).toContainText('1 of 1');
      await row.getByRole('link', { name: /^End/ }).click();
      await expect(owner.getByRole('heading', { name: 'End the code GALA-2026?' })).toBeVisible();
      await accessible(owner);
      await owner.getByRole('button', { name: 'End the code' }).click();
      await expect(owner.getByRole('status')).toContainText('The code is ended.');
      await expect(row).toContainText('Ended');
      await owner.close();

      await page.goto('/schedule');
      await bookInterview(page);
    });

    test('who cannot pay it asks, and Finance decides', async ({ page, context, browser, ownShop }) => {
      test.slow();
      const owner = await ownersPage(browser, ownShop, javaScriptEnabled);
      await setFee(owner);
      await owner.close();
      const person = { ...newPerson(), lastName: 'Needing' };
      const { reference } = await submittedByApi(context.request, person);
      await page.goto(PAGE);
      await page.getByRole('button', { name: 'Ask for a waiver' }).click();
      const why = page.getByLabel('Why you cannot pay the fee');
      await expect(why).toHaveAccessibleDescription(/Tell us in a few words why you cannot pay the fee\./);
      await accessible(page);
      await why.fill('I have lost my job.');
      await page.getByRole('button', { name: 'Ask for a waiver' }).click();
      await expect(page.getByText('Thank you. We have your request and will write to you.')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Your request for a waiver' })).toContainText(
        'I have lost my job.',
      );
      await expect(page.getByRole('button', { name: 'Ask for a waiver' })).toHaveCount(0);
      await accessible(page);

      // A Reviewer sees that the fee is due; Finance has a task, and refuses.
      const reviewer = await browser.newPage({ baseURL: ownShop.url, javaScriptEnabled });
      await logInStaff(reviewer, newStaff(ownShop, 'reviewer'));
      await reviewer.goto(`/admin-panel/applications?tab=all&q=${reference}&fee=due`);
      await expect(reviewer.getByRole('row').filter({ hasText: reference })).toContainText('Fee due');
      await accessible(reviewer);
      await reviewer.close();
      const finance = await desk(browser, ownShop.url, ownShop, 'finance', reference, javaScriptEnabled);
      const dossier = finance.url().split('?', 1)[0]!;
      await finance.goto('/admin-panel/work?whose=team');
      await finance
        .getByRole('row')
        .filter({ hasText: reference })
        .getByRole('link', { name: 'Decide about the waiver of the fee' })
        .click();
      const panel = finance.getByRole('region', { name: 'Application fee', exact: true });
      await expect(panel).toContainText('I have lost my job.');
      await accessible(finance);
      await panel.getByRole('link', { name: 'Refuse it' }).click();
      await finance.getByRole('button', { name: 'Refuse it' }).click();
      await expect(finance.getByLabel('Reason')).toHaveAccessibleDescription(/Say why, for the applicant\./);
      await accessible(finance);
      await finance.getByLabel('Reason').fill('Your employer pays such fees.');
      await finance.getByRole('button', { name: 'Refuse it' }).click();
      await expect(finance.getByRole('status').first()).toContainText('The request for a waiver is refused.');
      await page.reload();
      await expect(page.getByRole('main')).toContainText('Your employer pays such fees.');
      await expect(page.getByLabel('Why you cannot pay the fee')).toHaveCount(0);
      await accessible(page);

      // They write to the office, which waives it after all, takes that back, and notes a check in the end.
      await finance.goto(dossier);
      await tab(finance, 'Funding').click();
      await panel.getByRole('link', { name: 'Waive it' }).click();
      await finance.getByLabel('Reason').fill('They have written to us.');
      await finance.getByRole('button', { name: 'Waive it' }).click();
      await expect(finance.getByRole('status').first()).toContainText('The application fee is waived.');
      await accessible(finance);
      await page.reload();
      await expect(page.getByRole('main')).toContainText('Nothing to pay');
      await expect(page.getByRole('main')).not.toContainText('They have written to us.');
      await panel.getByRole('button', { name: 'Take the waiver back' }).click();
      await expect(finance.getByRole('status').first()).toContainText('the application fee is due again');
      await panel.getByRole('link', { name: /^Note a payment/ }).click();
      await expect(finance.getByLabel('Purpose')).toHaveValue('application-fee');
      await expect(finance.getByLabel('Amount')).toHaveValue('75');
      await finance.getByRole('button', { name: 'Note the payment' }).click();
      await expect(finance.getByText('It is written into the ledger.')).toBeVisible();
      await expect(panel).toContainText('Fee paid');
      await finance.context().close();

      await page.goto('/schedule');
      await bookInterview(page);
    });

    test('in Spanish, from the submission to the waiver', async ({ page, context, browser, ownShop }) => {
      const owner = await ownersPage(browser, ownShop, javaScriptEnabled);
      await setFee(owner);
      await owner.goto('/admin-panel/fee-codes');
      await owner.locator('input[name="code"]').fill('BECA-2026');
      await owner.getByRole('button', { name: 'Create the code' }).click();
      await expect(owner.getByRole('status')).toContainText('The code is created.');
      await owner.close();
      await context.addCookies([{ name: 'language', value: 'es', url: ownShop.url }]);
      await submittedByApi(context.request, newPerson());
      await page.goto(PAGE);
      await expect(page.locator('html')).toHaveAttribute('lang', 'es');
      const main = page.getByRole('main');
      await expect(main).toContainText('$75');
      await expect(main).not.toContainText(/\b(the|your|you|waiver|fee)\b/i);
      await main.locator('input[name="code"]').fill('nada');
      await main.locator('button[value="code"]').click();
      await expect(main.getByRole('alert').first()).toBeVisible();
      await expect(main).not.toContainText(/\b(the|your|you|waiver|fee)\b/i);
      await main.locator('input[name="code"]').fill('beca-2026');
      await main.locator('button[value="code"]').click();
      await expect(main).toContainText('BECA-2026');
      await expect(main).not.toContainText(/\b(the|your|you|waiver|fee)\b/i);
    });
  });
}
