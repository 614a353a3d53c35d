// From the last answer to the submission, and back again: the same with and without JavaScript.

import { answerEverything, expectEverything, homeState, saved } from './support/answers';
import { expectSameDocument, hydrated, markDocument } from './support/browser';
import { logInByApi, newPerson, bearer, registerByApi } from './support/people';
import { expect, test } from './support/test';

const REFERENCE = /^[BM]\d\d-[2-9A-Z]{4}-[2-9A-Z]{4}$/;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an application is filled in, checked, submitted, taken back, submitted again and withdrawn', async ({
      signedInPage: page,
    }) => {
      test.slow();
      await page.goto('/bachelor/application');
      if (javaScriptEnabled) await hydrated(page);

      // Too early: what is missing is told, and leads to its question.
      await page.getByRole('button', { name: 'Check your answers and submit' }).click();
      await expect(page).toHaveURL('/bachelor/application/check');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your answers');
      const missing = page.getByRole('group', { name: 'Some answers are missing' });
      await expect(missing.getByRole('link')).toHaveCount(4);
      await expect(page.getByRole('button', { name: 'Submit your application' })).toBeHidden();
      await missing.getByRole('link', { name: 'Choose at least one way to pay.' }).click();
      await expect(page).toHaveURL(/\/bachelor\/application#f-financialPlan\.selectedPayments$/);
      await expect(page.getByRole('checkbox', { name: 'Tuition assistance' })).toBeInViewport();

      await answerEverything(page);
      await page.getByRole('button', { name: 'Check your answers and submit' }).click();
      await expect(page).toHaveURL('/bachelor/application/check');
      await expect(missing).toBeHidden();
      const section = (name: string) => page.getByRole('region', { name, exact: true });
      await expect(section('About you')).toContainText('Texas');
      await expect(section('Employment')).toContainText('U.S. Navy “Östergötland” <shore>');
      await expect(section('Employment')).toContainText('8 hours per week');
      await expect(section('Financial plan')).toContainText('$1,200.50');
      await expect(section('Credit transfer')).toContainText('Joint Services Transcript');

      // One answer is changed on the way.
      await page.getByRole('link', { name: 'Change About you' }).click();
      await expect(page).toHaveURL('/bachelor/application#about-you');
      await expectEverything(page);
      await homeState(page).selectOption('UT');
      await page.getByRole('button', { name: 'Check your answers and submit' }).click();
      await expect(section('About you')).toContainText('Utah');

      await page.getByRole('button', { name: 'Submit your application' }).click();
      const declaration = page.getByRole('checkbox', { name: /truthfully/ });
      await expect(declaration).toHaveAccessibleDescription('Read the declaration and tick it.');
      await declaration.check();
      await page.getByRole('button', { name: 'Submit your application' }).click();

      await expect(page).toHaveURL('/thankyou');
      const reference = await page.getByText(REFERENCE).innerText();
      await page.reload();
      await expect(page.getByText(reference)).toBeVisible();
      await page.getByRole('link', { name: 'To your dashboard' }).click();
      await expect(page.getByRole('heading', { name: 'Submitted' })).toBeVisible();
      await expect(page.getByText(reference)).toBeVisible();
      await page.goto('/bachelor/application/check');
      await expect(page).toHaveURL('/bachelor/application');

      await expect(page.getByText(reference)).toBeVisible();
      await expect(section('About you')).toContainText('Utah');
      await page.getByRole('button', { name: 'Change something' }).click();
      await homeState(page).selectOption('TX');
      await page.getByRole('button', { name: 'Check your answers and submit' }).click();
      await expect(section('About you')).toContainText('Texas');
      await page.getByRole('checkbox', { name: /truthfully/ }).check();
      await page.getByRole('button', { name: 'Submit your application' }).click();
      await expect(page.getByText(reference)).toBeVisible();

      await page.getByRole('link', { name: 'See or change what you sent' }).click();
      await page.getByText('Withdraw your application', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Withdraw your application' }).click();
      const reason = page.getByLabel('Why do you withdraw?');
      await expect(reason).toHaveAccessibleDescription(/Tell us why you withdraw/);
      await reason.fill('I move to another country.');
      await page.getByRole('button', { name: 'Withdraw your application' }).click();
      await expect(page).toHaveURL('/dashboard');
      await expect(page.getByRole('heading', { name: 'No application yet' })).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('heading', { name: 'Submitted' })).toBeVisible();
      await expect(page.getByText(reference)).toBeVisible();
    });
  });
}

test('the way to the check is in one document, and the sections say how far they are', async ({
  signedInPage: page,
}) => {
  await page.goto('/bachelor/application');
  await hydrated(page);
  await markDocument(page);
  await expect(page.getByText('0 of 6 complete')).toBeVisible();
  await page.getByRole('checkbox', { name: 'GI Bill' }).check();
  await saved(page);
  await expect(page.getByText('1 of 6 complete')).toBeVisible();
  await page.getByRole('button', { name: 'Check your answers and submit' }).click();
  await expect(page).toHaveURL('/bachelor/application/check');
  await expectSameDocument(page);
  await page.goBack();
  await expect(page.getByText('5 of 6 complete')).toBeVisible();
});

test('an answer that is wrong keeps one from going on', async ({ signedInPage: page }) => {
  await page.goto('/bachelor/application');
  await hydrated(page);
  await page.getByRole('checkbox', { name: 'Self-pay' }).check();
  await page.getByRole('textbox', { name: 'Up front' }).fill('plenty');
  await page.getByRole('button', { name: 'Check your answers and submit' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page).toHaveURL('/bachelor/application');
});

test('a tab that was left open cannot change what was submitted meanwhile', async ({ page, context }) => {
  const person = newPerson();
  await registerByApi(context.request, person, 'ba');
  await page.goto('/bachelor/application');
  await answerEverything(page);
  await page.getByRole('button', { name: 'Check your answers and submit' }).click();
  await expect(page).toHaveURL('/bachelor/application/check');
  await page.goto('/bachelor/application');
  await hydrated(page);

  const { token } = await logInByApi(context.request, person);
  const submitted = await context.request.post('/api/users/application/submit', {
    data: { declaration: true },
    headers: { ...bearer(token), 'Idempotency-Key': 'elsewhere' },
  });
  expect(submitted.status(), await submitted.text()).toBe(200);
  await homeState(page).selectOption('UT');
  await expect(page.getByText('You have submitted this application.')).toBeVisible();
  await expect(page.getByText('Not saved', { exact: true })).toBeVisible();
});
