// A contract, from its draft to both signatures.

import { expect, type Page } from '@playwright/test';
import type { Person } from './people';
import { logInStaff, tab, type StaffLogin } from './staff';

export const OFFICE = 'Demo Owner';

/** Logs in as a member of staff and sets the name that they sign with. */
export async function named(page: Page, owner: StaffLogin): Promise<void> {
  await logInStaff(page, owner);
  await page.goto('/admin-panel/account');
  await page.getByLabel('Your name').fill(OFFICE);
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('status').first()).toBeVisible();
}

/** Prepares the contract of the open application and sends it. */
export async function sendContract(desk: Page): Promise<void> {
  await tab(desk, 'Contract').click();
  await desk.getByRole('button', { name: 'Prepare a contract' }).click();
  await desk.getByRole('button', { name: 'Send it to the applicant' }).click();
  await expect(desk.getByRole('status').first()).toContainText('The contract is sent.');
}

/** Signs it as the applicant. */
export async function signContract(page: Page, { firstName, lastName, password }: Person): Promise<void> {
  await page.goto('/dashboard/contract');
  await page.getByRole('button', { name: 'I agree to sign electronically' }).click();
  await page.getByLabel('I have read the whole contract').check();
  await page.getByLabel('Your full name').fill(`${firstName} ${lastName}`);
  await page.getByLabel('Current password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign the contract' }).click();
  await expect(page.getByRole('status')).toContainText('You have signed.');
}

/** Signs it for the institute, on its page, where it was sent from. */
export async function countersign(desk: Page): Promise<void> {
  await desk.reload();
  await desk.getByLabel('I have read the contract').check();
  await desk.getByLabel('Your name', { exact: true }).fill(OFFICE);
  await desk.getByRole('button', { name: 'Countersign the contract' }).click();
  await expect(desk.getByRole('status').first()).toContainText('The contract is countersigned.');
}
