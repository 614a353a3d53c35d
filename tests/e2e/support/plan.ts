// How an applicant accepts an offer and plans to pay.

import { expect, type Page } from '@playwright/test';

/** Accepts the offer and plans to pay everything personally: an amount up front and an amount each month. */
export async function planToPay(page: Page, upFront: string, monthly: string): Promise<void> {
  await page.goto('/dashboard');
  await page.getByText('Accept the offer', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, accept the offer' }).click();
  // The contract states who pays, so the plan comes first.
  await page.getByRole('link', { name: 'Plan how you will pay' }).click();
  await page.getByLabel('Employer').fill('');
  await page.getByLabel('Self-pay').fill('24,800');
  await page.getByLabel('Up front').fill(upFront);
  await page.getByLabel('Each month').fill(monthly);
  await page.getByRole('button', { name: 'Save the plan' }).click();
  await expect(page.getByText('Your plan is saved.')).toBeVisible();
}
