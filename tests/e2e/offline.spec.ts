import {
  answerEverything,
  expectEverything,
  followSection,
  homeState,
  jobTitle,
  openSection,
  saveAndContinue,
  saved,
  saveState,
  sectionPath,
} from './support/answers';
import { expectSameDocument, markDocument } from './support/browser';
import { newPerson, registerByApi, storedApplication, submitLogin } from './support/people';
import { expect, expectComplaint, test } from './support/test';

const notSaved = /^Not saved, retrying/;

test('answers typed while the network is away are kept over a reload, and saved when it is back', async ({
  page,
  applicant,
}) => {
  await openSection(page, 'employment');
  expectComplaint(/net::ERR_/);
  await page.route('**/api/**', (route) => route.abort('connectionfailed'));
  await jobTitle(page).fill('Chief');
  await followSection(page, 'About you');
  await homeState(page).selectOption('TX');
  await expect(saveState(page)).toHaveText(notSaved);
  await expect(saveState(page)).toContainText('Your answers are kept in this browser.');

  await page.reload();
  await expect(homeState(page)).toHaveValue('TX');
  await expect(saveState(page)).toHaveText(notSaved);
  await followSection(page, 'Employment');
  await expect(jobTitle(page)).toHaveValue('Chief');

  await page.unroute('**/api/**');
  await saved(page);
  const { data } = await storedApplication(page.request, applicant);
  expect(data.employment.currentEmployer.jobTitle).toBe('Chief');
  expect(data.personalInfo.state).toBe('TX');
  const drafts = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')));
  expect(drafts, 'what is saved is no longer kept in the browser').toEqual([]);
});

test('without any network one goes on from section to section, back and forward, and all is saved in the end', async ({
  page,
  applicant,
}) => {
  await openSection(page, 'about-you');
  await markDocument(page);
  expectComplaint(/net::ERR_/);
  await page.context().setOffline(true);
  await homeState(page).selectOption('TX');
  await saveAndContinue(page);
  await expect(page).toHaveURL(sectionPath('military'));
  await saveAndContinue(page);
  await expect(page).toHaveURL(sectionPath('education'));
  await page.goBack();
  await page.goBack();
  await expect(homeState(page)).toHaveValue('TX');
  await page.getByRole('link', { name: 'All sections and what is missing' }).click();
  await expect(page).toHaveURL('/bachelor/application');
  await expect(saveState(page)).toHaveText(notSaved);
  await expectSameDocument(page);

  await page.context().setOffline(false);
  await saved(page);
  await expect(page.getByText('2 of 7 sections complete')).toBeVisible();
  expect((await storedApplication(page.request, applicant)).data.personalInfo.state).toBe('TX');
});

test('answers typed while the server is stopped are saved once it runs again', async ({
  ownServer,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: ownServer.url });
  const person = newPerson();
  await registerByApi(context.request, person, 'ba');
  const page = await context.newPage();
  await openSection(page, 'employment');

  expectComplaint(/net::ERR_/);
  await ownServer.stop();
  await jobTitle(page).fill('Chief');
  await expect(saveState(page)).toHaveText(notSaved);
  await jobTitle(page).fill('Master Chief');
  await ownServer.launch();
  await saved(page);
  const { data } = await storedApplication(context.request, person);
  expect(data.employment.currentEmployer.jobTitle).toBe('Master Chief');
  await context.close();
});

test('a power cut right after “Saved” loses no answer that was shown as saved', async ({
  ownServer,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: ownServer.url });
  const person = newPerson();
  await registerByApi(context.request, person, 'ba');
  const page = await context.newPage();
  await answerEverything(page);
  expectComplaint(/net::ERR_/);
  await ownServer.kill();
  await context.close();

  await ownServer.launch();
  const again = await browser.newPage({ baseURL: ownServer.url });
  await again.goto('/dashboard');
  await submitLogin(again, person);
  await expect(again).toHaveURL('/dashboard');
  await expectEverything(again);
  await again.context().close();
});

test('a tab that is closed right after typing loses nothing', async ({ page, applicant }) => {
  await openSection(page, 'employment');
  await jobTitle(page).fill('Chief');
  const context = page.context();
  await page.close({ runBeforeUnload: true });

  const again = await context.newPage();
  await again.goto(sectionPath('employment'));
  await expect(jobTitle(again)).toHaveValue('Chief');
  await saved(again);
  expect((await storedApplication(again.request, applicant)).data.employment.currentEmployer.jobTitle).toBe(
    'Chief',
  );
});

test('going on to another page right after typing saves what was typed', async ({ page, applicant }) => {
  await openSection(page, 'employment');
  await jobTitle(page).fill('Chief');
  await page.getByRole('link', { name: 'All sections and what is missing' }).click();
  await expect(page).toHaveURL('/bachelor/application');
  await expect
    .poll(
      async () => (await storedApplication(page.request, applicant)).data.employment.currentEmployer.jobTitle,
    )
    .toBe('Chief');
  await page.goBack();
  await expect(jobTitle(page)).toHaveValue('Chief');
});
