// The application fee of the bachelor's program.

import { expect, type Page } from '@playwright/test';

export const PAGE = '/bachelor/application/fee';
export const AMOUNT = 'Amount in US dollars';

/** Makes a bachelor's application cost $75. */
export async function setFee(owner: Page): Promise<void> {
  await owner.goto('/admin-panel/settings/application-fee-bachelor');
  await owner.getByLabel(AMOUNT, { exact: true }).fill('75');
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(owner.getByRole('status')).toContainText('It holds from now on.');
}
