// Between sections: by links, buttons, addresses, Back and Forward, with anything that was typed on the way.

import {
  followSection,
  homeState,
  hoursPerWeek,
  jobTitle,
  openSection,
  saveAndContinue,
  saveAndLeave,
  saved,
  sectionCount,
  sectionPath,
} from './support/answers';
import { expectSameDocument, hydrated, markDocument } from './support/browser';
import { loginDialog, newPerson, registerByApi, storedApplication, submitLogin } from './support/people';
import { expect, test } from './support/test';

test('what is typed in one section is saved on the way to the next, in one document, with Back and Forward', async ({
  page,
  applicant,
}) => {
  await page.goto('/bachelor/application');
  await hydrated(page);
  await markDocument(page);
  await expect(page.getByText(`0 of ${sectionCount} sections complete`)).toBeVisible();
  await page.getByRole('link', { name: 'Begin: About you' }).click();
  await expect(page).toHaveTitle(/^About you – Application – /);
  const title = await page.title();
  await homeState(page).selectOption('TX');
  await followSection(page, 'Employment');
  await jobTitle(page).fill('Chief');
  await page.goBack();
  await expect(homeState(page)).toHaveValue('TX');
  await expect(page).toHaveTitle(title);
  await page.goForward();
  await expect(page).toHaveURL(sectionPath('employment'));
  await expect(jobTitle(page)).toHaveValue('Chief');
  await page.getByRole('link', { name: 'All sections and what is missing' }).click();
  await saved(page);
  await expectSameDocument(page);
  const { data } = await storedApplication(page.request, applicant);
  expect(data.personalInfo.state).toBe('TX');
  expect(data.employment.currentEmployer.jobTitle).toBe('Chief');

  // The list shows what is missing after that save, and links to it.
  await page.getByRole('link', { name: 'Enter the name of your current employer.' }).click();
  await expect(page).toHaveURL(/\/employment#f-employment\.currentEmployer\.name$/);
  await expect(page.getByLabel('Employer name').first()).toBeFocused();
  await page.goto(sectionPath('about-you'));
  await expect(page).toHaveTitle(title);
});

test('who is done with a section has answered it, its defaults too', async ({ page, applicant }) => {
  await openSection(page, 'about-you');
  await saveAndContinue(page);
  await expect(page).toHaveURL(sectionPath('military'));
  await expect(page.getByText(`1 of ${sectionCount} complete`)).toBeVisible();
  await saveAndLeave(page);
  await expect(page.getByText(`2 of ${sectionCount} sections complete`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Continue: Education' })).toBeVisible();
  const stored = await storedApplication(page.request, applicant);
  expect(stored.sections).toMatchObject({
    'about-you': 'complete',
    military: 'complete',
    education: 'not-started',
  });
});

test('an answer that is wrong is told beside its field and counted in every section', async ({
  signedInPage: page,
}) => {
  await openSection(page, 'employment');
  await hoursPerWeek(page).fill('many');
  await saveAndContinue(page);
  await expect(page.getByRole('alert')).toBeFocused();
  await page.getByRole('alert').getByRole('link').click();
  await expect(hoursPerWeek(page)).toBeFocused();
  await followSection(page, 'Military and DoD');
  await expect(page.getByText('1 answer needs attention')).toBeVisible();
  await page.getByRole('link', { name: 'Show' }).click();
  await expect(hoursPerWeek(page)).toBeFocused();
  await expect(hoursPerWeek(page)).toHaveValue('many');
});

test('a stranger with the address of a section is asked to log in and comes to it', async ({
  page,
  context,
}) => {
  const person = newPerson();
  await registerByApi(context.request, person, 'ba');
  await context.clearCookies();
  await page.goto(sectionPath('education'));
  await submitLogin(page, person);
  await expect(loginDialog(page)).toBeHidden();
  await expect(page).toHaveURL(sectionPath('education'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Education');
});

test('a question that follows from an answer comes at once, goes, and comes back with what was typed', async ({
  signedInPage: page,
}) => {
  await openSection(page, 'questions');
  const arrange = page.getByRole('radiogroup', { name: /anything we should arrange/ });
  const what = page.getByLabel('What should we arrange?');
  await expect(arrange.getByRole('radio', { name: 'No' })).not.toBeChecked();
  await expect(what).toBeHidden();
  await arrange.getByRole('radio', { name: 'Yes' }).check();
  await what.fill('Captions');
  await arrange.getByRole('radio', { name: 'No' }).check();
  await expect(what).toBeHidden();
  await saved(page);
  await arrange.getByRole('radio', { name: 'Yes' }).check();
  await expect(what).toHaveValue('Captions');
  await page.getByLabel('How many hours a week can you study?').fill('200');
  await saveAndContinue(page);
  await expect(page.getByLabel('How many hours a week can you study?')).toHaveAccessibleDescription(
    /between 1 and 80/,
  );
  await page.getByLabel('How many hours a week can you study?').fill('20');
  await saved(page);
  await page.reload();
  await expect(what).toHaveValue('Captions');
});

for (const width of [360, 1280]) {
  test(`at ${width}, no section is longer than three screens of a phone`, async ({ signedInPage: page }) => {
    await page.setViewportSize({ width, height: 740 });
    await openSection(page, 'about-you');
    for (let section = 0; section < sectionCount; section += 1) {
      const height = await page.evaluate(() => document.querySelector('main')!.scrollHeight);
      expect(height, page.url()).toBeLessThanOrEqual(3 * 740);
      if (section + 1 < sectionCount) await saveAndContinue(page);
      await hydrated(page);
    }
  });
}

test('previous employers about whom everything is said are folded, and open where somebody comes to change them', async ({
  page,
  context,
}) => {
  const { token } = await registerByApi(context.request, newPerson(), 'ba');
  const employer = (name: string, title: string) => ({
    name,
    jobTitle: title,
    hoursPerWeek: 20,
    yearsInRole: '1-2',
  });
  const previousEmployers = [employer('Demo Library', 'Coach'), employer('Demo Yard', '')];
  const answer = await context.request.post('/api/users/application', {
    data: { applicationType: 'ba', employment: { hasPreviousEmployment: true, previousEmployers } },
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await openSection(page, 'employment');
  const name = (number: number) =>
    page.getByRole('group', { name: `Previous employer ${number}`, exact: true }).getByLabel('Employer name');
  await expect(name(1)).toBeHidden();
  await expect(name(2)).toBeVisible();
  // Opened by keyboard, and it stays open while typing in it.
  await page.getByText('Demo Library, Coach').focus();
  await page.keyboard.press('Enter');
  await name(1).fill('Demo Library of Books');
  await expect(name(1)).toBeVisible();
  await page
    .getByRole('group', { name: 'Previous employer 2', exact: true })
    .getByLabel('Job title')
    .fill('Clerk');
  await expect(name(2)).toBeVisible();
});
