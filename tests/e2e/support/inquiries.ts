// Asking for news of a program.

import { expect, type Page } from '@playwright/test';
import { linkTo } from './mailbox';

export const OPENINGS = 'Tell me when applications open for the next intake';
export const BROCHURE = 'Send me the brochure';
export const CONSENT = /^You may email me about this/;

export const inquiry = (page: Page) => page.getByRole('main').locator('form[action$="/inquire"]');

/** Fills in the form and sends it. */
export async function inquire(page: Page, email: string): Promise<void> {
  const form = inquiry(page);
  await form.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await form.getByLabel(OPENINGS).check();
  await form.getByLabel(BROCHURE).check();
  await form.getByLabel(CONSENT).check();
  await form.getByRole('button', { name: 'Send' }).click();
}

/** Follows the link that was mailed, and presses its button. */
export async function confirm(page: Page, email: string): Promise<void> {
  await page.goto(await linkTo(page.request, email));
  await expect(page.getByRole('main')).toContainText(email);
  await page.getByRole('main').getByRole('button', { name: 'Confirm' }).click();
}
