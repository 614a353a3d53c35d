// From an accepted offer to enrolment, paid by card on Stripe's page: the same with and without JavaScript.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { countersign, named, sendContract, signContract } from './support/contract';
import { accept } from './support/office';
import { newPerson, submittedByApi } from './support/people';
import { planToPay } from './support/plan';
import { newOwner, tab } from './support/staff';
import { CARDS, expect, payOnPage, test } from './support/stripe';
import { expectComplaint } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('somebody plans, signs, pays by card, and is enrolled', async ({
      page,
      context,
      server,
      browser,
      baseURL,
    }) => {
      test.slow();
      const heard = complaints(page);
      const person = { ...newPerson(), lastName: `Card${javaScriptEnabled ? 'script' : 'plain'}` };
      const { reference } = await submittedByApi(context.request, person);
      accept(server, reference, 16);
      await planToPay(page, '800', '12,000');

      // A declined card is followed by another one, on the same page.
      await page.goto('/dashboard/funding');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('link', { name: 'Payments' }).first().click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your payments');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByLabel('Charge my later payments to this card').check();
      await page.getByRole('button', { name: 'Pay $800 by card' }).click();
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Your payments');
      const hosted = page.url();
      await payOnPage(page, CARDS.declined);
      await expect(page.getByText('Your card was declined.')).toBeVisible();
      await page.getByRole('link', { name: 'Back' }).click();
      await expect(page.getByText('Nothing was paid. You can try again at any time.')).toBeVisible();
      await page.getByLabel('Charge my later payments to this card').check();
      await page.getByRole('button', { name: 'Pay $800 by card' }).click();
      await expect(page).toHaveURL(hosted);
      await payOnPage(page, CARDS.good);
      await expect(page.getByText('Thank you. Your payment has arrived.')).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'Payment 1' }).first()).toContainText('Paid');
      await expect(page.getByText('Visa •••• 4242')).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }

      const office = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled });
      const desk = await office.newPage();
      const owner = newOwner(server);
      await named(desk, owner);
      await desk.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
      await desk.getByRole('link', { name: `Demo ${person.lastName}` }).click();
      await sendContract(desk);
      await signContract(page, person);
      await countersign(desk);

      // The payment came first, so the countersignature completed the enrolment.
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'You are enrolled' })).toBeVisible();

      // Finance refunds part of it to the card.
      await tab(desk, 'Funding').click();
      await desk
        .getByRole('link', { name: /^Refund/ })
        .first()
        .click();
      await desk.getByLabel('Amount').fill('100');
      await desk.getByLabel('Reason').fill('A discount that was forgotten.');
      await desk.getByRole('button', { name: 'Note the refund' }).click();
      await expect(desk.getByText('It is written into the ledger.')).toBeVisible();
      await office.close();

      await page.goto('/dashboard/payments');
      await expect(page.getByRole('listitem').filter({ hasText: 'Refund' })).toContainText('$100');
      await page.getByRole('button', { name: 'Remove the card' }).click();
      await expect(page.getByText('Your card was removed.')).toBeVisible();
      await expect(page.getByText('Visa •••• 4242')).toHaveCount(0);
      await page.getByRole('button', { name: 'Save a card for later payments' }).click();
      await payOnPage(page, CARDS.good);
      await expect(page.getByText('Your card is saved.')).toBeVisible();
      if (javaScriptEnabled) expect(heard.filter((each) => !each.includes('status of 40'))).toEqual([]);
    });
  });
}

test('when Stripe does not answer, nothing is paid and nothing is lost', async ({
  page,
  context,
  server,
  stripe,
}) => {
  expectComplaint(/status of 503/);
  const { reference } = await submittedByApi(context.request, newPerson());
  accept(server, reference, 16);
  await planToPay(page, '800', '12,000');
  await page.goto('/dashboard/payments');
  await hydrated(page);
  await stripe.faults({ act: 'drop', times: 20 });
  await page.getByRole('button', { name: 'Pay $800 by card' }).click();
  await expect(
    page.getByText('We cannot reach the card payment service right now. Nothing was paid.'),
  ).toBeVisible();
  await expectAccessible(page);
  await stripe.noFaults();
  await page.getByRole('button', { name: 'Pay $800 by card' }).dblclick();
  await payOnPage(page, CARDS.good);
  await expect(page.getByText('Thank you. Your payment has arrived.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Payment 1' }).first()).toContainText('Paid');
});
