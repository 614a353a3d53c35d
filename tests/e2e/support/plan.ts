// How an applicant who has an offer takes it and plans to pay.

import { expect, type Page } from '@playwright/test';

/** Takes the offer and pays all of it alone: so much up front, and so much each month. */
export async function planToPay(page: Page, upFront: string, monthly: string): Promise<void> {
  await page.goto('/dashboard');
  await page.getByText('Accept the offer', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, accept the offer' }).click();
  // What is to be signed says who pays, so that comes first.
  await page.getByRole('link', { name: 'Plan how you will pay' }).click();
  await page.getByLabel('Employer').fill('');
  await page.getByLabel('Self-pay').fill('24,800');
  await page.getByLabel('Up front').fill(upFront);
  await page.getByLabel('Each month').fill(monthly);
  await page.getByRole('button', { name: 'Save the plan' }).click();
  await expect(page.getByText('Your plan is saved.')).toBeVisible();
}
