// Open days: the office makes one, visitors book places, and everybody hears of what changes.

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { linkTo, mailsTo } from './support/mailbox';
import { book, inDays, makeDay } from './support/open-days';
import { newPerson } from './support/people';
import { logInStaff, newStaff } from './support/staff';
import { expect, test } from './support/test';

const mailCount = async (page: Page, email: string) => (await mailsTo(page.request, email)).length;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a day is made, booked, changed, given back, moved and cancelled', async ({
      page,
      browser,
      server,
    }) => {
      test.slow();
      const accessible = async (shown: Page) => {
        if (!javaScriptEnabled) return;
        await hydrated(shown);
        await expectAccessible(shown);
      };
      await logInStaff(page, newStaff(server, 'reviewer'));
      await page.getByRole('link', { name: 'Prospects' }).first().click();
      await page.getByRole('main').getByRole('link', { name: 'Open days' }).click();
      await expect(page).toHaveURL('/admin-panel/open-days');
      await accessible(page);
      // What is wrong is told beside its field.
      await page.getByRole('button', { name: 'Add open day' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(
        page.getByRole('main').getByRole('textbox', { name: 'Title', exact: true }),
      ).toHaveAttribute('aria-invalid', 'true');
      await accessible(page);
      const { title, path } = await makeDay(page, { places: '5' });
      await accessible(page);

      const visitor = await browser.newPage({ baseURL: server.url, javaScriptEnabled });
      const { email } = newPerson();
      await expect(async () => {
        await visitor.goto('/masters/apply');
        await expect(visitor.getByRole('main')).toContainText(title, { timeout: 500 });
      }).toPass();
      await visitor.goto(path);
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(title);
      const main = visitor.getByRole('main');
      await expect(main).toContainText('5 places left');
      await expect(main).not.toContainText('12 Demo Street');
      await accessible(visitor);
      const form = main.locator('form');
      await form.getByLabel('Last name').fill('Visitor');
      await form.getByRole('button', { name: 'Book' }).click();
      await expect(main.getByRole('alert')).toBeVisible();
      await expect(form.getByLabel('First name')).toHaveAttribute('aria-invalid', 'true');
      await expect(form.getByLabel('Last name')).toHaveValue('Visitor');
      await accessible(visitor);
      await book(form, email, '3');
      await expect(main).toContainText(/booked/);
      await accessible(visitor);
      expect(await mailCount(visitor, email)).toBe(1);
      expect((await mailsTo(visitor.request, email))[0]!.text).toContain('12 Demo Street, Room 4');
      await visitor.goto(path);
      await expect(main).toContainText('2 places left');

      // Too many for what is left, and then all of it.
      const other = newPerson();
      await book(form, other.email, '4');
      await expect(main.getByRole('alert')).toBeVisible();
      await expect(form.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(other.email);
      await book(form, other.email, '2');
      await expect(main).toContainText(/booked/);
      await visitor.goto(path);
      await expect(main).toContainText('Full');
      await accessible(visitor);

      const link = await linkTo(visitor.request, email);
      await visitor.goto(link);
      await expect(main).toContainText('12 Demo Street, Room 4');
      await accessible(visitor);
      await visitor.reload();
      await main.getByRole('button', { name: /Cancel/ }).click();
      await expect(main).toContainText(/cancell?ed/i);
      await accessible(visitor);
      await expect.poll(() => mailCount(visitor, email)).toBe(2);
      await visitor.goto(path);
      await expect(main).toContainText('3 places left');

      // The office notes who came, moves the day, and cancels it.
      await page.reload();
      const row = page.getByRole('row').filter({ hasText: other.email });
      await row.getByRole('button', { name: /^Came/ }).click();
      await expect(row.getByRole('button', { name: /^Undo/ })).toBeVisible();
      await accessible(page);
      await page.getByRole('main').getByLabel('Date').fill(inDays(21));
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => mailCount(visitor, other.email)).toBe(2);
      expect(await mailCount(visitor, email), 'who has cancelled hears no more').toBe(2);
      await page.getByText('Cancel this open day').click();
      await page.getByRole('button', { name: 'Cancel open day' }).click();
      await expect.poll(() => mailCount(visitor, other.email)).toBe(3);
      await accessible(page);
      await visitor.goto(path);
      await expect(main).toContainText(/cancell?ed/i);
      await expect(main.locator('form')).toHaveCount(0);
      await accessible(visitor);
      await visitor.close();
    });

    test('a visitor books in Spanish', async ({ page, browser, server }) => {
      await logInStaff(page, newStaff(server, 'decider'));
      const { path } = await makeDay(page);
      const spanish = await browser.newContext({ baseURL: server.url, javaScriptEnabled, locale: 'es-US' });
      const visitor = await spanish.newPage();
      const { email } = newPerson();
      await visitor.goto(path);
      await expect(visitor.locator('html')).toHaveAttribute('lang', 'es');
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(/^Jornada/);
      const form = visitor.getByRole('main').locator('form');
      await form.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Zoë');
      await form.getByLabel('Apellidos').fill('Visita');
      await form.getByRole('textbox', { name: 'Correo electrónico', exact: true }).fill('nobody');
      await form.getByRole('checkbox').check();
      await form.getByRole('button').click();
      await expect(visitor.getByRole('alert')).toContainText('Escriba un correo electrónico');
      await form.getByRole('textbox', { name: 'Correo electrónico', exact: true }).fill(email);
      await form.getByRole('button').click();
      await expect.poll(() => mailCount(visitor, email)).toBe(1);
      const [mail] = await mailsTo(visitor.request, email);
      expect(mail!.text).toContain('Jornada');
      await visitor.goto(await linkTo(visitor.request, email));
      await expect(visitor.getByRole('main')).toContainText('12 Demo Street, Room 4');
      await visitor.getByRole('main').getByRole('button').last().click();
      await expect.poll(() => mailCount(visitor, email)).toBe(2);
      await spanish.close();
    });
  });
}

test('bookings are saved as a file, after the password was asked for again', async ({
  page,
  browser,
  server,
}) => {
  await logInStaff(page, newStaff(server, 'reviewer'));
  const { path } = await makeDay(page);
  const visitor = await browser.newPage({ baseURL: server.url });
  const { email } = newPerson();
  await visitor.goto(path);
  await book(visitor.getByRole('main').locator('form'), email, '1');
  await expect.poll(() => mailCount(visitor, email)).toBe(1);
  await visitor.close();
  await page.reload();
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save as CSV' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);
});
