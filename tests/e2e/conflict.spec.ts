import type { Browser, Page } from '@playwright/test';
import { employerName, followSection, homeState, jobTitle, openSection, saved } from './support/answers';
import { logInByApi, storedApplication, type Person } from './support/people';
import { expect, test } from './support/test';

const notice = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Changed in another tab or on another device' });

const openForm = (page: Page) => openSection(page, 'employment');

/** Opens the form on another device of the same applicant. */
async function openElsewhere(browser: Browser, person: Person): Promise<Page> {
  const context = await browser.newContext();
  await logInByApi(context.request, person);
  const page = await context.newPage();
  await openForm(page);
  return page;
}

for (const { button, wins } of [
  { button: 'Keep mine', wins: 'Pilot' },
  { button: 'Use the other', wins: 'Nurse' },
]) {
  test(`two devices change the same answer: the later one is shown both and chooses “${button}”`, async ({
    page,
    browser,
    applicant,
  }) => {
    const elsewhere = await openElsewhere(browser, applicant);
    await openForm(page);

    await jobTitle(elsewhere).fill('Nurse');
    await saved(elsewhere);
    await jobTitle(page).fill('Pilot');

    await expect(notice(page)).toContainText('Pilot');
    await expect(notice(page)).toContainText('Nurse');
    await expect(jobTitle(page), 'nothing is replaced without asking').toHaveValue('Pilot');
    const { data } = await storedApplication(page.request, applicant);
    expect(data.employment.currentEmployer.jobTitle, 'nothing is overwritten without asking').toBe('Nurse');

    await notice(page).getByRole('button', { name: button }).click();
    await expect(notice(page)).toBeHidden();
    await saved(page);
    await expect(jobTitle(page)).toHaveValue(wins);
    await openForm(elsewhere);
    await expect(jobTitle(elsewhere)).toHaveValue(wins);
    await elsewhere.context().close();
  });
}

test('two devices change different answers: both are kept and nobody is asked', async ({
  page,
  browser,
  applicant,
}) => {
  const elsewhere = await openElsewhere(browser, applicant);
  await openForm(page);

  await employerName(elsewhere).fill('Demo Works');
  await saved(elsewhere);
  await followSection(page, 'About you');
  await homeState(page).selectOption('TX');
  await saved(page);

  await expect(notice(page)).toBeHidden();
  await followSection(page, 'Employment');
  await expect(employerName(page)).toHaveValue('Demo Works');
  const { data } = await storedApplication(page.request, applicant);
  expect(data.personalInfo.state).toBe('TX');
  expect(data.employment.currentEmployer.name).toBe('Demo Works');
  await elsewhere.context().close();
});

test('a conflict that nobody has settled is still there after a reload', async ({
  page,
  browser,
  applicant,
}) => {
  const elsewhere = await openElsewhere(browser, applicant);
  await openForm(page);
  await jobTitle(elsewhere).fill('Nurse');
  await saved(elsewhere);
  await jobTitle(page).fill('Pilot');
  await expect(notice(page)).toBeVisible();

  // The conflict can be resolved from another section.
  await followSection(page, 'Military and DoD');
  await expect(notice(page)).toContainText('Pilot');
  await page.reload();
  await expect(notice(page)).toContainText('Pilot');
  await expect(notice(page)).toContainText('Nurse');
  await elsewhere.context().close();
});

test('two tabs of one browser follow each other without a word', async ({ page, applicant }) => {
  const tab = await page.context().newPage();
  await openForm(tab);
  await openForm(page);
  await jobTitle(page).fill('Chief');
  await saved(page);
  await expect(jobTitle(tab)).toHaveValue('Chief');
  await followSection(tab, 'About you');
  await homeState(tab).selectOption('TX');
  await saved(tab);
  await followSection(page, 'About you');
  await expect(homeState(page)).toHaveValue('TX');
  await expect(notice(page)).toBeHidden();
  await expect(notice(tab)).toBeHidden();
  expect((await storedApplication(page.request, applicant)).data.personalInfo.state).toBe('TX');
});
