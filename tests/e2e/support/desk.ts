// A member of staff working on one application.

import { expect, type Browser, type Page } from '@playwright/test';
import type { Server } from './server';
import { logInStaff, newStaff, type Role } from './staff';

/** Logs in as a member of staff and opens one application. */
export async function desk(
  browser: Browser,
  baseURL: string,
  server: Server,
  role: Role,
  reference: string,
  javaScriptEnabled: boolean,
): Promise<Page> {
  const office = await browser.newContext({ javaScriptEnabled, baseURL });
  const page = await office.newPage();
  await logInStaff(page, newStaff(server, role));
  await page.goto(`/admin-panel/applications?tab=all&q=${reference}`);
  await page
    .getByRole('link', { name: /^Demo / })
    .first()
    .click();
  await page.waitForURL(/\/admin-panel\/applications\/[^?]/);
  return page;
}

/** Records a first payment of $4,800 on the Funding tab. */
export async function notePayment(finance: Page): Promise<void> {
  await finance.getByRole('link', { name: 'Funding', exact: true }).click();
  await finance.getByRole('link', { name: 'Note a payment' }).click();
  await finance.getByLabel('Purpose').selectOption('instalment-1');
  await finance.getByLabel('Amount').fill('4800');
  await finance.getByRole('button', { name: 'Note the payment' }).click();
  await expect(finance.getByText('It is written into the ledger.')).toBeVisible();
}
