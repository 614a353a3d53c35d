// The application form as a person fills it in, the same with and without JavaScript: every question, no answer left at
// its default where another one can be given.

import { expect, type Locator, type Page } from '@playwright/test';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const yesNo = (within: Locator, question: string, answer: 'Yes' | 'No') =>
  within.getByRole('radiogroup', { name: question }).getByRole('radio', { name: answer, exact: true });
const currentEmployer = (page: Page) => page.getByRole('group', { name: 'Your current employer' });
const previousEmployer = (page: Page, number: number) =>
  page.getByRole('group', { name: `Previous employer ${number}`, exact: true });

/** Every yes/no question, by section, with the answer that is not its default. */
const choices: [string, string, 'Yes' | 'No'][] = [
  ['About you', 'Are you a citizen of the United States?', 'No'],
  ['Military and DoD', 'Are you affiliated with the United States military?', 'Yes'],
  ['Military and DoD', 'Are you a civilian employee of the Department of Defense?', 'Yes'],
  ['Education', 'Do you have a master’s degree?', 'Yes'],
  ['Employment', 'Are you seeing coaching clients?', 'Yes'],
  ['Employment', 'Have you worked for anyone else before?', 'Yes'],
];

const selects: [string, string, string][] = [
  ['About you', 'In which state do you live?', 'TX'],
  ['Education', 'Country of your bachelor’s degree', 'DE'],
  ['Education', 'Country of your master’s degree', 'GB'],
];

const checked: [string, string[], string[]][] = [
  ['Financial plan', ['GI Bill', 'Self-pay'], ['Tuition assistance', 'Employer', 'Scholarship']],
  ['Credit transfer', ['Joint Services Transcript', 'DSST exams'], ['CLEP exams']],
];

interface Work {
  name: string;
  jobTitle: string;
  hours: string;
  years: string;
}

const now: Work = {
  name: 'U.S. Navy “Östergötland” <shore>',
  jobTitle: 'Chief & coach',
  hours: '45',
  years: '6-10',
};
const before: Work[] = [
  { name: 'Norfolk Public Library', jobTitle: 'Assistant', hours: '20', years: '1-2' },
  { name: '山田 Coaching', jobTitle: 'Trainer', hours: '8', years: '3-5' },
];

export const employerName = (page: Page) => currentEmployer(page).getByLabel('Employer name');
export const jobTitle = (page: Page) => currentEmployer(page).getByLabel('Job title');
export const homeState = (page: Page) => page.getByLabel('In which state do you live?');
export const saveState = (page: Page) => page.getByRole('status').filter({ hasText: /[Ss]av|answer/ });

/** Until the form says so of all that was typed before. */
export async function saved(page: Page): Promise<void> {
  await expect(saveState(page)).toHaveText(/^Saved \d\d:\d\d$/, { timeout: 15_000 });
}

async function fillWork(group: Locator, work: Work): Promise<void> {
  await group.getByLabel('Employer name').fill(work.name);
  await group.getByLabel('Job title').fill(work.jobTitle);
  await group.getByLabel('Hours per week').fill(work.hours);
  await group.getByLabel('Years in role').selectOption(work.years);
}

async function expectWork(group: Locator, work: Work): Promise<void> {
  await expect(group.getByLabel('Employer name')).toHaveValue(work.name);
  await expect(group.getByLabel('Job title')).toHaveValue(work.jobTitle);
  await expect(group.getByLabel('Hours per week')).toHaveValue(work.hours);
  await expect(group.getByLabel('Years in role')).toHaveValue(work.years);
}

export async function answerEverything(page: Page): Promise<void> {
  for (const [name, question, answer] of choices) await yesNo(section(page, name), question, answer).check();
  for (const [name, label, value] of selects) await section(page, name).getByLabel(label).selectOption(value);
  await fillWork(currentEmployer(page), now);
  for (const [index, work] of before.entries()) {
    await page.getByRole('button', { name: /^Add (an|another) employer$/ }).click();
    await fillWork(previousEmployer(page, index + 1), work);
  }
  for (const [name, yes] of checked) {
    for (const label of yes) await section(page, name).getByRole('checkbox', { name: label }).check();
  }
  await page.getByRole('textbox', { name: 'Up front' }).fill('1,200.50');
  await page.getByRole('textbox', { name: 'Each month' }).fill('99');
}

export async function expectEverything(page: Page): Promise<void> {
  for (const [name, question, answer] of choices) {
    await expect(yesNo(section(page, name), question, answer), question).toBeChecked();
  }
  for (const [name, label, value] of selects) {
    await expect(section(page, name).getByLabel(label)).toHaveValue(value);
  }
  await expectWork(currentEmployer(page), now);
  for (const [index, work] of before.entries()) await expectWork(previousEmployer(page, index + 1), work);
  for (const [name, yes, no] of checked) {
    for (const label of yes)
      await expect(section(page, name).getByRole('checkbox', { name: label })).toBeChecked();
    for (const label of no) {
      await expect(section(page, name).getByRole('checkbox', { name: label })).not.toBeChecked();
    }
  }
  await expect(page.getByRole('textbox', { name: 'Up front' })).toHaveValue(/^1,?200\.50$/);
  await expect(page.getByRole('textbox', { name: 'Each month' })).toHaveValue(/^99(\.00)?$/);
}
