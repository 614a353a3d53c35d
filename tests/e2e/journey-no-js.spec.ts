// The same journeys using only forms and links.

import {
  SAVED,
  answerEverything,
  employerName,
  expectEverything,
  hoursPerWeek,
  jobTitle,
  previousEmployer,
  saveAndContinue,
  saveAndLeave,
  sectionPath,
} from './support/answers';
import { fillRegistration, loginDialog, newPerson, registerDialog, submitLogin } from './support/people';
import { expect, test } from './support/test';

test.use({ javaScriptEnabled: false });

for (const program of [
  { path: 'bachelor', name: 'Bachelor’s program' },
  { path: 'masters', name: 'Master’s program' },
] as const) {
  test(`a new person applies for the ${program.name} without JavaScript and finds every answer again`, async ({
    page,
  }) => {
    const person = newPerson();
    await page.goto(`/${program.path}/apply`);
    await page.getByRole('main').getByRole('link', { name: 'Apply now' }).first().click();
    await expect(page).toHaveURL(`/${program.path}/apply?dialog=register`);
    await fillRegistration(registerDialog(page), person);
    await registerDialog(page).getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(`/${program.path}/application`);

    await page.getByRole('main').getByRole('link', { name: 'Begin: About you' }).click();
    await expect(page).toHaveURL(sectionPath('about-you', program.path));
    await answerEverything(page, program.path);
    await page.getByRole('link', { name: 'Back to all sections' }).click();
    await expect(page.getByText(SAVED)).toBeVisible();
    await expect(page.getByText('7 of 7 sections complete')).toBeVisible();
    await expectEverything(page, program.path);

    await page.getByRole('banner').getByText(person.firstName, { exact: true }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL(`/${program.path}/apply`);

    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
    await submitLogin(page, person);
    await expect(page).toHaveURL(`/${program.path}/application`);
    await expectEverything(page, program.path);

    await page.goto(sectionPath('employment', program.path));
    await page.getByRole('button', { name: 'Remove previous employer 1' }).click();
    await expect(previousEmployer(page, 1).getByLabel('Employer name')).toHaveValue('山田 Demo');
    await expect(previousEmployer(page, 2)).toBeHidden();
    await saveAndContinue(page);
    await expect(page).toHaveURL(sectionPath('financial-plan', program.path));
    await page.getByRole('link', { name: 'Back to Employment' }).click();
    await expect(page.getByRole('group', { name: /^Previous employer/ })).toHaveCount(1);
  });
}

test('a registration that is refused comes back with what was typed and errors beside their fields', async ({
  page,
}) => {
  const person = newPerson();
  await page.goto('/bachelor/apply?dialog=register');
  const dialog = registerDialog(page);
  await fillRegistration(dialog, person);
  await dialog.getByLabel('Date of birth').fill('');
  await dialog.getByLabel('Phone number').fill('12');
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await dialog.getByLabel('Repeat password', { exact: true }).fill('short');
  await dialog.getByRole('button', { name: 'Create account' }).click();

  await expect(dialog.getByRole('alert')).toContainText('Please check the form');
  await expect(dialog.getByLabel('Date of birth')).toHaveAccessibleDescription(/Date of birth is required/);
  await expect(dialog.getByLabel('Phone number')).toHaveAccessibleDescription(/Enter a phone number/);
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/at least 10/i);
  await expect(dialog.getByLabel('First name')).toHaveValue(person.firstName);
  await expect(dialog.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(person.email);
  await expect(dialog.getByLabel('State')).toHaveValue('VA');
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('');

  await fillRegistration(dialog, person);
  await dialog.getByLabel('Repeat password', { exact: true }).fill('something else entirely');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await expect(dialog.getByLabel('Repeat password', { exact: true })).toHaveAccessibleDescription(
    /Passwords do not match/,
  );
  await fillRegistration(dialog, person);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/bachelor/application');
});

test('answers that are refused come back beside their fields, with all that was typed', async ({
  signedInPage: page,
}) => {
  await page.goto(sectionPath('employment'));
  await employerName(page).fill('Demo Works');
  await hoursPerWeek(page).fill('many');
  await saveAndContinue(page);

  await expect(page).toHaveURL(sectionPath('employment'));
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(hoursPerWeek(page)).toHaveValue('many');
  await expect(hoursPerWeek(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(hoursPerWeek(page)).toHaveAccessibleDescription(/./);
  await expect(employerName(page)).toHaveValue('Demo Works');

  await hoursPerWeek(page).fill('40');
  await saveAndContinue(page);
  await expect(page).toHaveURL(sectionPath('financial-plan'));
  await expect(page.getByText(SAVED)).toBeVisible();
  await page.goto(sectionPath('employment'));
  await expect(employerName(page)).toHaveValue('Demo Works');
  await expect(hoursPerWeek(page)).toHaveValue('40');

  // An input hidden by its own form is not validated.
  await hoursPerWeek(page).fill('many');
  const employed = page.getByRole('radiogroup', { name: 'Are you employed at the moment?' });
  await employed.getByRole('radio', { name: 'No' }).check();
  await saveAndContinue(page);
  await expect(page).toHaveURL(sectionPath('financial-plan'));
});

test('questions that follow from an answer appear and disappear by the stylesheet alone', async ({
  signedInPage: page,
}) => {
  await page.goto(sectionPath('employment'));
  const employed = page.getByRole('radiogroup', { name: 'Are you employed at the moment?' });
  await expect(employerName(page)).toBeVisible();
  await employed.getByRole('radio', { name: 'No' }).check();
  await expect(employerName(page)).toBeHidden();
  await employed.getByRole('radio', { name: 'Yes' }).check();
  await expect(employerName(page)).toBeVisible();
  await page.goto(sectionPath('financial-plan'));
  await expect(page.getByRole('textbox', { name: 'Up front' })).toBeHidden();
  await page.getByRole('checkbox', { name: 'Self-pay' }).check();
  await expect(page.getByRole('textbox', { name: 'Up front' })).toBeVisible();
});

test('two tabs save different answers: the second is asked, with both values, and either can be kept', async ({
  signedInPage: page,
}) => {
  const other = await page.context().newPage();
  await page.goto(sectionPath('employment'));
  await other.goto(sectionPath('employment'));

  await jobTitle(page).fill('Chief');
  await saveAndLeave(page);
  await jobTitle(other).fill('Coach');
  await saveAndContinue(other);

  const notice = other.getByRole('alert').filter({ hasText: 'Changed in another tab or on another device' });
  await expect(notice).toContainText('Chief');
  await expect(notice).toContainText('Coach');
  await notice.getByRole('button', { name: 'Keep mine' }).click();
  await expect(other).toHaveURL(sectionPath('employment'));
  await expect(jobTitle(other)).toHaveValue('Coach');
  await page.goto(sectionPath('employment'));
  await expect(jobTitle(page)).toHaveValue('Coach');

  await jobTitle(other).fill('Pilot');
  await saveAndLeave(other);
  await jobTitle(page).fill('Nurse');
  await saveAndContinue(page);
  await page.getByRole('button', { name: 'Use the other' }).click();
  await expect(jobTitle(page)).toHaveValue('Pilot');
});

test('the theme is chosen by a form, on any page, and stays', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/bachelors/apply');
  await page.getByRole('button', { name: 'Dark', exact: true }).click();
  await expect(page).toHaveURL('/bachelors/apply');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.goto('/masters/apply');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(32, 31, 30)');
  await expect(page.getByRole('button', { name: 'Dark', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('a forgotten password is set anew with the link that was mailed, which works once', async ({
  page,
  applicant,
}) => {
  await page.context().clearCookies();
  await page.goto('/bachelor/apply?dialog=forgot');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Request Reset' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(
    /Please enter your email address/,
  );
  await dialog.getByRole('textbox', { name: 'Email' }).fill(applicant.email);
  await dialog.getByRole('button', { name: 'Request Reset' }).click();
  await expect(dialog.getByRole('link', { name: 'Back to Login' })).toBeVisible();

  const mail = page
    .getByRole('listitem')
    .filter({ hasText: applicant.email })
    .filter({ hasText: 'password' });
  await expect(async () => {
    await page.goto('/mailbox');
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass();
  await mail
    .getByText(/password/i)
    .first()
    .click();
  const link = mail.getByRole('link', { name: /\/reset-password\?token=/ });
  const href = await link.getAttribute('href');
  await link.click();

  await page.getByLabel('New password', { exact: true }).fill('five words in a longer row');
  await page.getByLabel('Repeat password', { exact: true }).fill('five words in another row');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByLabel('Repeat password', { exact: true })).toHaveAccessibleDescription(
    /Passwords do not match/,
  );
  await page.getByLabel('New password', { exact: true }).fill('five words in a longer row');
  await page.getByLabel('Repeat password', { exact: true }).fill('five words in a longer row');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new password is set');

  await page.goto('/dashboard');
  await submitLogin(page, applicant);
  await expect(loginDialog(page).getByRole('alert')).toBeVisible();
  await submitLogin(page, { ...applicant, password: 'five words in a longer row' });
  await expect(page).toHaveURL('/dashboard');

  await page.goto(href!);
  await page.getByLabel('New password', { exact: true }).fill('six words in an even longer row');
  await page.getByLabel('Repeat password', { exact: true }).fill('six words in an even longer row');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
});

test('the dashboard and the account work by links and forms', async ({ page, applicant, browser }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('main').getByRole('heading', { name: 'In progress' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' }).click();

  const profile = page.getByRole('region', { name: 'Profile' });
  await profile.getByLabel('First name').fill('');
  await profile.getByLabel('Last name').fill('Grace');
  await profile.getByRole('button', { name: 'Save profile' }).click();
  await expect(profile.getByLabel('First name')).toHaveAccessibleDescription(/required/);
  await expect(profile.getByLabel('Last name')).toHaveValue('Grace');
  await profile.getByLabel('First name').fill('Zoë');
  await profile.getByLabel('Country').selectOption('DE');
  await expect(profile.getByLabel('State')).toBeHidden();
  await profile.getByLabel('Phone number').fill('30 123456');
  await profile.getByRole('button', { name: 'Save profile' }).click();
  await expect(profile.getByText('Your profile is saved.')).toBeVisible();
  await expect(profile.getByLabel('First name')).toHaveValue('Zoë');
  await expect(profile.getByLabel('Phone number')).toHaveValue('+4930123456');

  const elsewhere = await browser.newContext({ javaScriptEnabled: false });
  const elsewherePage = await elsewhere.newPage();
  await elsewherePage.goto('/dashboard');
  await submitLogin(elsewherePage, applicant);
  await expect(elsewherePage).toHaveURL('/dashboard');

  await page.goto('/dashboard/account');
  const sessions = page.getByRole('region', { name: 'Where you are logged in' });
  await sessions.getByRole('button', { name: /^End the session/ }).click();
  await expect(sessions.getByText('You are not logged in anywhere else.')).toBeVisible();
  await elsewherePage.reload();
  await expect(loginDialog(elsewherePage)).toBeVisible();
  await elsewhere.close();

  const password = page.getByRole('region', { name: 'Password' });
  await password.getByLabel('Current password', { exact: true }).fill(applicant.password);
  await password.getByLabel('New password', { exact: true }).fill('five words in a longer row');
  await password.getByLabel('Repeat password', { exact: true }).fill('five words in a longer row');
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(password.getByText('Your password has been changed.')).toBeVisible();
});
