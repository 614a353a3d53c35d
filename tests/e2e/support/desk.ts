// Members of staff at work.

import { expect, type Browser, type Page } from '@playwright/test';
import type { Server } from './server';
import { logInStaff, newOwner, newStaff, type Role } from './staff';

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
  await openApplication(page, reference);
  return page;
}

/** Finds an application in the list and opens it. */
export async function openApplication(page: Page, reference: string): Promise<void> {
  await page.goto(`/admin-panel/applications?tab=all&q=${reference}`);
  await page
    .getByRole('link', { name: /^Demo / })
    .first()
    .click();
  await page.waitForURL(/\/admin-panel\/applications\/[^?]/);
}

/** A page of the office, of an Owner who has just logged in. */
export async function ownersPage(
  browser: Browser,
  server: Server,
  javaScriptEnabled: boolean,
): Promise<Page> {
  const page = await browser.newPage({ baseURL: server.url, javaScriptEnabled });
  await logInStaff(page, newOwner(server));
  await expect(page).toHaveURL('/admin-panel/work');
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
