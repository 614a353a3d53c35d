// From the last answer to submission, and back again: the same with and without JavaScript.

import {
  answerEverything,
  followSection,
  homeState,
  openSection,
  saveAndContinue,
  saveAndLeave,
  sectionPath,
} from './support/answers';
import { hydrated } from './support/browser';
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

      // Too early: missing answers are listed with links to their questions, which lead back again.
      await page.getByRole('main').getByRole('link', { name: 'Check your answers' }).click();
      await expect(page).toHaveURL('/bachelor/application/check');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your answers');
      const missing = page.getByRole('group', { name: 'Some answers are missing' });
      await expect(missing.getByRole('link')).toHaveCount(20);
      await expect(page.getByRole('button', { name: 'Submit your application' })).toBeHidden();
      await missing.getByRole('link', { name: 'Choose at least one way to pay.' }).click();
      await expect(page).toHaveURL(
        '/bachelor/application/financial-plan?from=check#f-financialPlan.selectedPayments',
      );
      await expect(page.getByRole('checkbox', { name: 'Tuition assistance' })).toBeInViewport();
      await page.getByRole('checkbox', { name: 'GI Bill' }).check();
      await saveAndContinue(page);
      await expect(page).toHaveURL('/bachelor/application/check');
      await expect(missing.getByRole('link')).toHaveCount(19);

      await answerEverything(page);
      await expect(missing).toBeHidden();
      const section = (name: string) => page.getByRole('region', { name, exact: true });
      await expect(section('About you')).toContainText('Texas');
      await expect(section('Employment')).toContainText('Demo Works “Östergötland” <shore>');
      await expect(section('Employment')).toContainText('8 hours per week');
      await expect(section('Financial plan')).toContainText('$1,200.50');
      await expect(section('Credit transfer')).toContainText('Joint Services Transcript');

      // One answer is changed in between.
      await page.getByRole('link', { name: 'Change State' }).click();
      await expect(page).toHaveURL('/bachelor/application/about-you?from=check#f-personalInfo.state');
      await homeState(page).selectOption('UT');
      await saveAndContinue(page);
      await expect(page).toHaveURL('/bachelor/application/check');
      await expect(section('About you')).toContainText('Utah');

      await page.getByRole('button', { name: 'Submit your application' }).click();
      const declaration = page.getByRole('checkbox', { name: /truthfully/ });
      await expect(declaration).toHaveAccessibleDescription('Read the declaration and check the box.');
      await declaration.check();
      await page.getByRole('button', { name: 'Submit your application' }).click();

      await expect(page).toHaveURL('/thankyou');
      const needed = page.getByRole('listitem').filter({ hasText: 'we cannot decide without it' });
      await expect(needed.first()).toHaveText(/^Proof of identity/);
      if (javaScriptEnabled) {
        // Going back submits nothing a second time.
        await page.goBack();
        await expect(page.getByRole('heading', { level: 1 })).toContainText('Your application for the');
        await page.goForward();
        await expect(page).toHaveURL('/thankyou');
      }
      const reference = await page.getByText(REFERENCE).innerText();
      await page.reload();
      await expect(page.getByText(reference)).toBeVisible();
      await page.getByRole('link', { name: 'Go to your dashboard' }).click();
      await expect(page.getByRole('heading', { name: 'Submitted' })).toBeVisible();
      await expect(page.getByText(reference)).toBeVisible();
      await page.goto('/bachelor/application/check');
      await expect(page).toHaveURL('/bachelor/application');

      await expect(page.getByText(reference)).toBeVisible();
      await expect(section('About you')).toContainText('Utah');
      await page.getByRole('button', { name: 'Change something' }).click();
      await followSection(page, 'About you');
      await homeState(page).selectOption('TX');
      await saveAndLeave(page);
      await page.getByRole('link', { name: 'Check your answers and submit' }).click();
      await expect(section('About you')).toContainText('Texas');
      await page.getByRole('checkbox', { name: /truthfully/ }).check();
      await page.getByRole('button', { name: 'Submit your application' }).click();
      await expect(page.getByText(reference)).toBeVisible();

      await page.getByRole('link', { name: 'See or change what you sent' }).click();
      await page.getByText('Withdraw your application', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Withdraw your application' }).click();
      const reason = page.getByLabel('Why are you withdrawing?');
      await expect(reason).toHaveAccessibleDescription(/Tell us in a few words why you are withdrawing/);
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

test('an answer that is wrong keeps one from going on', async ({ signedInPage: page }) => {
  await openSection(page, 'financial-plan');
  await page.getByRole('checkbox', { name: 'Self-pay' }).check();
  await page.getByRole('textbox', { name: 'Up front' }).fill('plenty');
  await saveAndContinue(page);
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page).toHaveURL(sectionPath('financial-plan'));

  // Navigating away is possible with an error; checking the answers is not.
  await followSection(page, 'Questions of this program');
  await saveAndContinue(page);
  await page
    .getByRole('alert')
    .getByRole('link', { name: /amount in dollars/ })
    .click();
  await expect(page).toHaveURL(/\/financial-plan#f-/);
  await expect(page.getByRole('textbox', { name: 'Up front' })).toBeFocused();
});

test('a tab that was left open cannot change what was submitted meanwhile', async ({ page, context }) => {
  const person = newPerson();
  await registerByApi(context.request, person, 'ba');
  await answerEverything(page);
  await openSection(page, 'about-you');

  const { token } = await logInByApi(context.request, person);
  const submitted = await context.request.post('/api/users/application/submit', {
    data: { declaration: true },
    headers: { ...bearer(token), 'Idempotency-Key': 'elsewhere' },
  });
  expect(submitted.status(), await submitted.text()).toBe(200);
  await homeState(page).selectOption('UT');
  await expect(page.getByText('You have submitted this application.')).toBeVisible();
  await expect(page.getByText('Not saved', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'See your application as it is now' }).click();
  await expect(page).toHaveURL('/bachelor/application');
  await expect(page.getByRole('link', { name: 'Book your interview' }).first()).toBeVisible();
});
