// Asking for references, and naming referees.

import { expect, type Page } from '@playwright/test';

export const QUESTION = 'What do they do well?';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const nameForm = (page: Page) =>
  page.locator('form').filter({ has: page.locator('[name="relationship"]') });

/** Has the bachelor's program ask for one reference, with a question and perhaps a letter. */
export async function askForReferences(
  page: Page,
  accessible: (shown: Page) => Promise<void>,
): Promise<void> {
  await page.goto('/admin-panel/questionnaires/bachelor');
  await accessible(page);
  await page.getByLabel('Referees that can be named').selectOption('2');
  await page.getByLabel('References needed').selectOption('1');
  await page.getByLabel('Letter', { exact: true }).selectOption('optional');
  await button(page, 'Add a question for referees').click();
  const question = page.locator('#referee-question-0');
  await expect(question).toBeVisible();
  await button(page, 'Save and publish…').click();
  await expect(page.getByRole('alert')).toContainText('Question 1 for referees');
  await accessible(page);
  await question.getByLabel('Question', { exact: true }).fill(QUESTION);
  await button(page, 'Save and preview').click();
  await accessible(page);
  await page.getByRole('link', { name: 'Back to the draft' }).click();
  await button(page, 'Save and publish…').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Publish these questions?');
  await expect(page.getByRole('list', { name: 'What changes' })).toContainText(QUESTION);
  await button(page, /^Publish/).click();
  await expect(page.getByRole('status').first()).toContainText('The questions are published.');
  await accessible(page);
}

/** Fills in the form for a referee and sends it. */
export async function nameReferee(page: Page, email: string, waiver: RegExp): Promise<void> {
  const form = nameForm(page);
  await form.getByLabel('Name', { exact: true }).fill('Demo Referee');
  await form.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await form.getByLabel('How do they know you?').fill('They were my manager');
  await form.getByRole('radio', { name: waiver }).check();
  await button(page, 'Name this referee').click();
}
