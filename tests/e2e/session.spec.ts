import type { Page } from '@playwright/test';
import {
  homeState,
  followSection,
  jobTitle,
  openSection,
  saved,
  saveState,
  sectionPath,
} from './support/answers';
import {
  bearer,
  logInByApi,
  loginDialog,
  newPerson,
  registerByApi,
  storedApplication,
  submitLogin,
  type Person,
} from './support/people';
import { expect, test } from './support/test';

/** Ends every session of an applicant, as they would from another device. */
async function endSessions(page: Page, person: Person): Promise<void> {
  const elsewhere = await page.context().browser()!.newContext();
  const { token } = await logInByApi(elsewhere.request, person);
  const answer = await elsewhere.request.delete('/api/users/sessions', { headers: bearer(token) });
  expect(answer.ok()).toBe(true);
  await elsewhere.close();
}

test('a session that ends while someone types opens the login over the page, and nothing is lost', async ({
  page,
  applicant,
}) => {
  await openSection(page, 'about-you');
  await homeState(page).selectOption('TX');
  await saved(page);
  await followSection(page, 'Employment');

  await endSessions(page, applicant);
  await jobTitle(page).fill('Chief');
  await expect(loginDialog(page)).toBeVisible();
  await expect(page).toHaveURL(sectionPath('employment'));
  await submitLogin(page, applicant);
  await expect(loginDialog(page)).toBeHidden();
  await expect(jobTitle(page)).toHaveValue('Chief');
  await saved(page);
  const { data } = await storedApplication(page.request, applicant);
  expect(data.employment.currentEmployer.jobTitle).toBe('Chief');
  expect(data.personalInfo.state).toBe('TX');
});

test('the login can be put off: typing goes on, and all of it is saved after logging in', async ({
  page,
  applicant,
}) => {
  await openSection(page, 'employment');
  await endSessions(page, applicant);
  await jobTitle(page).fill('Chief');
  await expect(loginDialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(loginDialog(page)).toBeHidden();
  await expect(saveState(page)).toHaveText(/^Not saved, you are logged out/);
  await followSection(page, 'About you');
  await homeState(page).selectOption('TX');

  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await submitLogin(page, applicant);
  await saved(page);
  const { data } = await storedApplication(page.request, applicant);
  expect(data.employment.currentEmployer.jobTitle).toBe('Chief');
  expect(data.personalInfo.state).toBe('TX');
});

test('answers typed after the session ended survive a reload and a login', async ({ page, applicant }) => {
  await openSection(page, 'employment');
  await endSessions(page, applicant);
  await jobTitle(page).fill('Chief');
  await expect(loginDialog(page)).toBeVisible();
  await page.reload();
  await expect(loginDialog(page)).toBeVisible();
  await submitLogin(page, applicant);
  await expect(jobTitle(page)).toHaveValue('Chief');
  await saved(page);
  expect((await storedApplication(page.request, applicant)).data.employment.currentEmployer.jobTitle).toBe(
    'Chief',
  );
});

test('answers never land in the account of somebody else who logged in on the next tab', async ({
  signedInPage: page,
}) => {
  await openSection(page, 'employment');
  const other = newPerson();
  const elsewhere = await page.context().browser()!.newContext();
  await registerByApi(elsewhere.request, other, 'ba');
  await elsewhere.close();

  const tab = await page.context().newPage();
  await tab.goto('/dashboard');
  await tab.getByRole('navigation', { name: 'Dashboard' }).getByRole('button', { name: 'Log out' }).click();
  await tab.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
  await submitLogin(tab, other);
  await expect(tab).toHaveURL('/bachelor/application');

  await jobTitle(page).fill('Chief');
  await expect(saveState(page)).toHaveText(/^Not saved, another account is logged in/);
  await openSection(tab, 'employment');
  await expect(jobTitle(tab)).toHaveValue('');
  expect((await storedApplication(tab.request, other)).data.employment.currentEmployer.jobTitle).toBe('');
});

test('logging out right after typing saves first', async ({ page, applicant }) => {
  await openSection(page, 'employment');
  await jobTitle(page).fill('Chief');
  await page.getByRole('banner').getByText(applicant.firstName, { exact: true }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/bachelor/apply');
  expect((await storedApplication(page.request, applicant)).data.employment.currentEmployer.jobTitle).toBe(
    'Chief',
  );
});
