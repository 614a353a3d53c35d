// Imports: an Owner brings in applicants from a file, one of them goes on here, and the rest is undone.

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { figure, line, map, part, upload } from './support/imports';
import { linkTo, mailsTo } from './support/mailbox';
import { newPerson, submitLogin } from './support/people';
import { logInStaff, newOwner, newStaff } from './support/staff';
import { expect, test as base } from './support/test';

const IMPORTS = '/admin-panel/imports';
const FILE = 'former system.csv';

// What comes in would be in the lists of all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const table = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const row = (page: Page, name: string, text: string) =>
  table(page, name).getByRole('row').filter({ hasText: text });
/** Sets a password by the link in a mail, and logs in with it. */
async function setPassword(browser: Browser, baseURL: string, email: string): Promise<void> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  const password = 'five words in a longer row';
  const told = (await mailsTo(context.request, email)).map(({ text }) => text).join('\n');
  const address = told.match(/https?:\/\/[^/\s]+(\/\S+dialog=forgot)/)?.[1];
  await page.goto(address!);
  const dialog = page.getByRole('dialog', { name: 'Reset your password' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog.getByRole('button', { name: 'Request Reset' }).click();
  await expect(dialog.getByRole('link', { name: 'Back to Login' })).toBeVisible();
  await page.goto(await linkTo(context.request, email));
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(heading(page)).toHaveText('Your new password is set');
  await page.goto('/dashboard');
  await submitLogin(page, { ...newPerson(), email, password });
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('main').getByRole('heading', { name: 'In progress' })).toBeVisible();
  await context.close();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a file comes in, somebody goes on with it, and the rest is undone', async ({
      page,
      browser,
      ownServer,
    }) => {
      test.slow();
      const accessible = async () => {
        if (!javaScriptEnabled) return;
        await hydrated(page);
        await expectAccessible(page);
      };
      const person = (lastName: string) => ({ ...newPerson(), lastName });
      const [drafted, sent] = [person('Drafted'), person('Sent')];
      const [over, unclear] = [person('Over'), person('Unclear')];
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/applications');
      await page.getByRole('main').getByRole('link', { name: 'Import', exact: true }).click();
      await expect(heading(page)).toHaveText('Imports');
      await expect(page.getByText('Nothing has been imported yet.')).toBeVisible();
      await accessible();
      await page.getByRole('button', { name: 'Upload' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose a file first.');
      await accessible();

      await upload(page, FILE, [
        line(drafted, 'Draft', 'A-1'),
        line(sent, 'Submitted', 'A-2'),
        line(over, 'Rejected', 'A-3'),
        line(unclear, 'Perhaps', 'A-4'),
      ]);
      const address = new URL(page.url()).pathname;
      await expect(page.getByText('Still needed: Date of birth.')).toBeVisible();
      await expect(row(page, 'Columns', 'Hatched')).toContainText('31.12.1990');
      await expect(page.getByLabel('What “Phone” is')).toHaveValue('phoneNumber');
      await accessible();
      await page.getByLabel('Tag', { exact: true }).fill('Former system');
      await page.getByLabel('Email the applicants').check();
      await page.getByRole('button', { name: 'Check the rows' }).click();
      await expect(page.getByRole('alert')).toContainText('Date of birth');
      await expect(page.getByLabel('Tag', { exact: true })).toHaveValue('Former system');
      await expect(page.getByLabel('Email the applicants')).toBeChecked();
      await accessible();
      await map(page);
      await expect(figure(page, 'Ready')).toContainText('2');
      await expect(figure(page, 'Ready, with warnings')).toContainText('1');
      await expect(figure(page, 'Errors')).toContainText('1');
      await accessible();

      // What is wrong is told beside it.
      await page.getByRole('link', { name: 'Errors', exact: true }).click();
      await expect(heading(page)).toHaveText('Rows');
      await expect(row(page, 'Rows', 'Perhaps')).toContainText('Status: ');
      await expect(row(page, 'Rows', drafted.email)).toHaveCount(0);
      await accessible();
      await page.getByRole('link', { name: 'Row 5', exact: true }).click();
      await expect(part(page, 'Row 5')).toBeVisible();
      const born = row(page, 'Row 5, field by field', 'Date of birth');
      await expect(born).toContainText('Column “Hatched”');
      await expect(born).toContainText('December 31, 1990');
      await accessible();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Save the rows with errors as CSV' }).click(),
      ]);
      const errors = await readFile(await download.path(), 'utf8');
      expect(errors).toContain(unclear.email);
      expect(errors).not.toContain(drafted.email);

      await page.goto(address);
      await page.getByRole('button', { name: 'Import 3 rows' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await page.getByLabel('Leave out the 1 row with errors').check();
      await accessible();
      await page.getByRole('button', { name: 'Import 3 rows' }).click();
      await expect(part(page, 'What came in')).toBeVisible({ timeout: 30_000 });
      await expect(figure(page, 'Imported')).toContainText('3');
      await accessible();

      // What was submitted is found like any other application, and says where it comes from.
      await page.getByRole('link', { name: 'See them in the list of applications' }).click();
      await expect(page.getByRole('rowheader')).toHaveCount(2);
      await page.getByRole('link', { name: 'Demo Sent' }).first().click();
      await page.waitForURL(/\/admin-panel\/applications\/[^?]/);
      const origin = page.getByText(`Imported from “${FILE}”, row 3, former reference A-2`);
      await expect(origin).toBeVisible();
      await accessible();
      await origin.getByRole('link').click();
      await expect(part(page, 'Row 3')).toBeVisible();
      await expect(page.getByText('What the row said is deleted')).toBeVisible();

      expect(await mailsTo(page.request, over.email)).toEqual([]);
      expect(await mailsTo(page.request, sent.email)).toHaveLength(1);
      await setPassword(browser, ownServer.url, drafted.email);

      await page.goto(address);
      await page.locator('summary', { hasText: 'Undo this import' }).click();
      await expect(page.getByText('Somebody has worked on 1 application since')).toBeVisible();
      await accessible();
      await page.getByRole('button', { name: 'Undo the import' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await page.getByLabel('Leave the one that somebody has worked on').check();
      await page.getByRole('button', { name: 'Undo the import' }).click();
      await expect(part(page, 'What became of it')).toBeVisible({ timeout: 30_000 });
      await expect(figure(page, 'Undone')).toContainText('2');
      await accessible();
      await page.getByRole('link', { name: 'Kept, because somebody has worked on them' }).click();
      await expect(row(page, 'Rows', 'Demo Drafted')).toContainText('Kept');
      await expect(table(page, 'Rows').getByRole('row')).toHaveCount(2);
      await page.goto(IMPORTS);
      await expect(row(page, 'Imports', FILE)).toContainText('Undone');
      await accessible();
    });

    test('a file by mistake is deleted, and others do not see imports', async ({ page, ownServer }) => {
      await logInStaff(page, newOwner(ownServer));
      await page.goto(IMPORTS);
      await upload(page, 'mistake.csv', [line(newPerson(), 'Draft', 'A-1')]);
      await page.locator('summary', { hasText: 'Delete this import' }).click();
      await page.getByRole('button', { name: 'Delete the import' }).click();
      await expect(page.getByText('The import is deleted, with its rows.')).toBeVisible();
      await expect(page.getByText('Nothing has been imported yet.')).toBeVisible();

      await page.context().clearCookies();
      await logInStaff(page, newStaff(ownServer, 'decider'));
      await page.goto('/admin-panel/applications');
      await expect(heading(page)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Import', exact: true })).toHaveCount(0);
      expect((await page.goto(IMPORTS))?.status()).toBe(403);
    });
  });
}

test('how far an import is shows by itself', async ({ page, ownServer }) => {
  test.slow();
  await logInStaff(page, newOwner(ownServer));
  await page.goto(IMPORTS);
  const lines = Array.from({ length: 300 }, (_, at) => line(newPerson(), 'Draft', `A-${at}`));
  await upload(page, FILE, lines);
  await map(page);
  await page.getByRole('button', { name: 'Import 300 rows' }).click();
  await expect(page.getByRole('progressbar', { name: 'Importing the rows' })).toBeVisible();
  await expect(page.getByText(/^\d+ of 300 rows$/)).toBeVisible();
  await expect(part(page, 'What came in')).toBeVisible({ timeout: 60_000 });
  await expect(figure(page, 'Imported')).toContainText('300');
});
