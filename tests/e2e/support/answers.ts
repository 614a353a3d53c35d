// Fills in the application form like an applicant, the same with and without JavaScript: every question, with answers
// that differ from the default where possible.

import { expect, type Locator, type Page } from '@playwright/test';
import { hydrated } from './browser';

type ProgramPath = 'bachelor' | 'masters';

export const yesNo = (within: Locator | Page, question: string, answer: 'Yes' | 'No') =>
  within.getByRole('radiogroup', { name: question }).getByRole('radio', { name: answer, exact: true });
export const currentEmployer = (page: Page) => page.getByRole('group', { name: 'Your current employer' });
export const previousEmployer = (page: Page, number: number) =>
  page.getByRole('group', { name: `Previous employer ${number}`, exact: true });

export interface SectionAnswers {
  id: string;
  title: string;
  yesNo?: [question: string, answer: 'Yes' | 'No'][];
  selects?: [label: string, value: string][];
  checked?: [yes: string[], no: string[]];
  texts?: [label: string, text: string][];
  /** Asked only after an answer above; without JavaScript on the next page. */
  followUps?: [label: string, text: string][];
}

/** The answers in each section: never the default. */
export const sections: SectionAnswers[] = [
  {
    id: 'about-you',
    title: 'About you',
    yesNo: [['Are you a citizen of the United States?', 'No']],
    selects: [['In which state do you live?', 'TX']],
  },
  {
    id: 'military',
    title: 'Military and DoD',
    yesNo: [
      ['Are you affiliated with the United States military?', 'Yes'],
      ['Are you a civilian employee of the Department of Defense?', 'Yes'],
    ],
  },
  {
    id: 'education',
    title: 'Education',
    yesNo: [['Do you have a master’s degree?', 'Yes']],
    selects: [
      ['Country of your bachelor’s degree', 'DE'],
      ['Country of your master’s degree', 'GB'],
    ],
  },
  {
    id: 'employment',
    title: 'Employment',
    yesNo: [
      ['Are you seeing coaching clients?', 'Yes'],
      ['Have you worked for anyone else before?', 'Yes'],
    ],
  },
  {
    id: 'financial-plan',
    title: 'Financial plan',
    checked: [
      ['GI Bill', 'Self-pay'],
      ['Tuition assistance', 'Employer', 'Scholarship'],
    ],
  },
  {
    id: 'credit-transfer',
    title: 'Credit transfer',
    checked: [['Joint Services Transcript', 'DSST exams'], ['CLEP exams']],
  },
  { id: 'questions', title: 'Questions of this program' },
];

/** The initial questions of the two programs, and a follow-up. */
export const questions: Record<ProgramPath, Omit<SectionAnswers, 'id' | 'title'>> = {
  bachelor: {
    texts: [
      ['Why do you want to study coaching?', 'Because of two things.\nThey are <these> & those.'],
      ['How many hours a week can you study?', '12'],
    ],
    selects: [['How do you want to study?', 'part_time']],
    yesNo: [['Is there anything we should arrange', 'Yes']],
    followUps: [['What should we arrange?', 'Captions']],
  },
  masters: {
    texts: [
      ['Tell us about a coaching conversation', 'It was about time.'],
      ['How many hours a week can you study?', '10'],
    ],
    checked: [['Career and transition', 'Teams and groups'], ['Health and well-being']],
    yesNo: [
      ['Do you hold a coaching credential?', 'Yes'],
      ['Is there anything we should arrange', 'No'],
    ],
    followUps: [['Which credential, and from whom?', 'A demo credential']],
  },
};

export const sectionCount = sections.length;

interface Work {
  name: string;
  jobTitle: string;
  hours: string;
  years: string;
}

export const now: Work = {
  name: 'Demo Works “Östergötland” <shore>',
  jobTitle: 'Chief & coach',
  hours: '45',
  years: '6-10',
};
const before: Work[] = [
  { name: 'Demo Library', jobTitle: 'Assistant', hours: '20', years: '1-2' },
  { name: '山田 Demo', jobTitle: 'Trainer', hours: '8', years: '3-5' },
];

export const employerName = (page: Page) => currentEmployer(page).getByLabel('Employer name');
export const jobTitle = (page: Page) => currentEmployer(page).getByLabel('Job title');
export const hoursPerWeek = (page: Page) => currentEmployer(page).getByLabel('Hours per week');
export const homeState = (page: Page) => page.getByLabel('In which state do you live?');
export const saveState = (page: Page) => page.getByRole('status').filter({ hasText: /[Ss]av|answer/ });
export const continueButton = (page: Page) =>
  page.getByRole('button', { name: /^Save and (continue|check your answers)$/ }).last();

/** Path of a section's page. */
export const sectionPath = (id: string, program: ProgramPath = 'bachelor') => `/${program}/application/${id}`;

/** Loads a section and waits until it is hydrated. */
export async function openSection(page: Page, id: string, program: ProgramPath = 'bachelor'): Promise<void> {
  await page.goto(sectionPath(id, program));
  await hydrated(page);
}

/** Follows a section's link on the open page. */
export async function followSection(page: Page, title: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: title, exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

export async function saveAndContinue(page: Page): Promise<void> {
  await continueButton(page).click();
}

export async function saveAndLeave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save and see all sections' }).click();
  await expect(page).toHaveURL(/\/application$/);
}

/** The form's text when everything is saved, with a twelve-hour clock. */
export const SAVED = /^Saved \d+:\d\d\s[AP]M$/;

/** Waits until the form reports that everything typed so far is saved. */
export async function saved(page: Page): Promise<void> {
  await expect(saveState(page)).toHaveText(SAVED, { timeout: 15_000 });
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

/** Goes through all sections, from the first to "Check your answers". */
export async function answerEverything(page: Page, program: ProgramPath = 'bachelor'): Promise<void> {
  await page.goto(sectionPath('about-you', program));
  for (const section of sections) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(section.title);
    const isLast = section.id === 'questions';
    const answers = isLast ? { ...section, ...questions[program] } : section;
    await answerSection(page, answers);
    for (const [label, text] of answers.followUps ?? []) {
      if (!(await page.getByLabel(label).isVisible())) await saveAndContinue(page);
      await page.getByLabel(label).fill(text);
    }
    await saveAndContinue(page);
  }
  await expect(page).toHaveURL(`/${program}/application/check`);
}

async function answerSection(page: Page, { id, ...section }: SectionAnswers): Promise<void> {
  for (const [question, answer] of section.yesNo ?? []) await yesNo(page, question, answer).check();
  for (const [label, value] of section.selects ?? []) await page.getByLabel(label).selectOption(value);
  for (const label of section.checked?.[0] ?? []) await page.getByRole('checkbox', { name: label }).check();
  for (const [label, text] of section.texts ?? []) await page.getByLabel(label).fill(text);
  if (id === 'employment') {
    await fillWork(currentEmployer(page), now);
    for (const [index, work] of before.entries()) {
      await page.getByRole('button', { name: /^Add (an|another) employer$/ }).click();
      await fillWork(previousEmployer(page, index + 1), work);
    }
  }
  if (id === 'financial-plan') {
    await page.getByRole('textbox', { name: 'Up front' }).fill('1,200.50');
    await page.getByRole('textbox', { name: 'Each month' }).fill('99');
  }
}

/** Reloads every section and checks its answers. */
export async function expectEverything(page: Page, program: ProgramPath = 'bachelor'): Promise<void> {
  for (const section of sections) {
    await page.goto(sectionPath(section.id, program));
    await expectSection(page, section.id === 'questions' ? { ...section, ...questions[program] } : section);
  }
}

async function expectSection(page: Page, { id, ...section }: SectionAnswers): Promise<void> {
  for (const [question, answer] of section.yesNo ?? []) {
    await expect(yesNo(page, question, answer), question).toBeChecked();
  }
  for (const [label, value] of section.selects ?? []) await expect(page.getByLabel(label)).toHaveValue(value);
  const [yes, no] = section.checked ?? [[], []];
  for (const label of yes) await expect(page.getByRole('checkbox', { name: label })).toBeChecked();
  for (const label of no) await expect(page.getByRole('checkbox', { name: label })).not.toBeChecked();
  for (const [label, text] of [...(section.texts ?? []), ...(section.followUps ?? [])]) {
    await expect(page.getByLabel(label)).toHaveValue(text);
  }
  if (id === 'employment') {
    await expectWork(currentEmployer(page), now);
    for (const [index, work] of before.entries()) await expectWork(previousEmployer(page, index + 1), work);
  }
  if (id === 'financial-plan') {
    await expect(page.getByRole('textbox', { name: 'Up front' })).toHaveValue(/^1,?200\.50$/);
    await expect(page.getByRole('textbox', { name: 'Each month' })).toHaveValue(/^99(\.00)?$/);
  }
}
