import { answerEverything, expectEverything } from './support/answers';
import { expectSameDocument, markDocument } from './support/browser';
import {
  fillRegistration,
  logInByApi,
  loginDialog,
  newPerson,
  registerDialog,
  submitLogin,
} from './support/people';
import { expect, test } from './support/test';

for (const program of [
  { path: 'bachelor', name: 'Bachelor’s program' },
  { path: 'masters', name: 'Master’s program' },
] as const) {
  test(`a new person applies for the ${program.name}, leaves, comes back and finds every answer`, async ({
    page,
    browser,
  }) => {
    const person = newPerson();
    await page.goto(`/${program.path}`);
    await expect(page).toHaveURL(`/${program.path}/apply`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(program.name);

    await markDocument(page);
    await page.getByRole('main').getByRole('link', { name: 'Apply now' }).first().click();
    await expect(registerDialog(page)).toBeVisible();
    await expectSameDocument(page);
    await fillRegistration(registerDialog(page), person);
    await registerDialog(page).getByRole('button', { name: 'Create account' }).click();

    await expect(page).toHaveURL(`/${program.path}/application`);
    await expectSameDocument(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `Your application for the ${program.name}`,
    );
    await answerEverything(page, program.path);
    await page.goBack();
    await expect(page.getByText('7 of 7 complete')).toBeVisible();
    await page.context().close();

    const again = await browser.newPage();
    await again.goto(`/${program.path}/apply`);
    await again.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
    await submitLogin(again, person);
    await expect(again).toHaveURL(`/${program.path}/application`);
    await expect(again.getByText('7 of 7 sections complete')).toBeVisible();
    await expectEverything(again, program.path);
    await again.context().close();
  });
}

test('a browser that kept its cookie is still signed in, on the page and on the API', async ({
  page,
  applicant,
  browser,
}) => {
  await page.goto('/bachelor/application');
  const storageState = await page.context().storageState();
  await page.context().close();

  const again = await browser.newPage({ storageState });
  await answerEverything(again);
  await expectEverything(again);
  await again.getByRole('banner').getByText(applicant.firstName, { exact: true }).click();
  await expect(again.getByRole('menu').getByText(applicant.email)).toBeVisible();
  await again.context().close();
});

test('the dashboard says in plain words where the application stands and what is next', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  await expect(main.getByText('Your next step')).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Fill out your application' })).toBeVisible();
  await expect(main.getByRole('heading', { name: 'In progress' })).toBeVisible();
  await expect(main.getByText('You have started your application and not yet submitted it.')).toBeVisible();
  for (const step of ['Applied', 'Interview', 'Decision', 'Contract and funding', 'Enrolled']) {
    await expect(main.getByRole('listitem').filter({ hasText: step })).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Application Progress' })).toBeVisible();
  await expect(page.getByText('Track your application progress here')).toBeVisible();
  await main.getByRole('link', { name: 'Begin' }).click();
  await expect(page).toHaveURL('/bachelor/application');
});

test('an applicant changes profile and password, ends another session, and logs out', async ({
  page,
  applicant,
  browser,
}) => {
  const elsewhere = await browser.newContext();
  await logInByApi(elsewhere.request, applicant);
  const elsewherePage = await elsewhere.newPage();
  await elsewherePage.goto('/dashboard');
  await expect(elsewherePage).toHaveURL('/dashboard');

  await page.goto('/dashboard/account');
  const profile = page.getByRole('region', { name: 'Profile' });
  await profile.getByLabel('First name').fill('Zoë');
  await profile.getByLabel('Country').selectOption('DE');
  await expect(profile.getByLabel('State')).toBeHidden();
  await profile.getByLabel('Phone number').fill('30 123456');
  await profile.getByLabel('Time zone').fill('Europe/Berlin');
  await profile.getByRole('button', { name: 'Save profile' }).click();
  await expect(profile.getByText('Your profile is saved.')).toBeVisible();

  const sessions = page.getByRole('region', { name: 'Where you are logged in' });
  await sessions.getByRole('button', { name: /^End the session/ }).click();
  await expect(sessions.getByText('The session has ended.')).toBeVisible();
  await expect(sessions.getByText('You are not logged in anywhere else.')).toBeVisible();
  await elsewherePage.reload();
  await expect(elsewherePage).toHaveURL(/dialog=login/);
  await elsewhere.close();

  const password = page.getByRole('region', { name: 'Password' });
  await password.getByLabel('Current password', { exact: true }).fill('not my password');
  await password.getByLabel('New password', { exact: true }).fill('five words in a longer row');
  await password.getByLabel('Repeat password', { exact: true }).fill('five words in a longer row');
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(password.getByLabel('Current password', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await password.getByLabel('Current password', { exact: true }).fill(applicant.password);
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(password.getByText('Your password has been changed.')).toBeVisible();

  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Zoë');
  await expect(page.getByLabel('Phone number')).toHaveValue('+4930123456');
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin');

  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/bachelor/apply');
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
  await page.goto('/dashboard/account');
  await expect(loginDialog(page)).toBeVisible();
  await submitLogin(page, applicant);
  await expect(loginDialog(page).getByRole('alert')).toBeVisible();
  await submitLogin(page, { ...applicant, password: 'five words in a longer row' });
  await expect(page).toHaveURL('/dashboard/account');
});
