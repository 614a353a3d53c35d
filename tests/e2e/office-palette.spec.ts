// The office's command palette and its sheet of keyboard shortcuts.

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaints, expectSameDocument, hydrated, markDocument } from './support/browser';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newOwner, newStaff, tab } from './support/staff';
import { expect, expectComplaint, test } from './support/test';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or go to' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search applications, pages and actions' });
const options = (page: Page) => palette(page).getByRole('option');
/** The option that Enter selects. */
const chosen = async (page: Page) =>
  page.locator(`[id="${await field(page).getAttribute('aria-activedescendant')}"]`);
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('an application is found by name and by reference, and something is done with it', async ({
  page,
  server,
  playwright,
  baseURL,
}) => {
  const heard = complaints(page);
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Palettefound' };
  const { reference } = await submittedByApi(request, person);
  await request.dispose();
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/settings');
  await hydrated(page);
  await markDocument(page);

  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await expect(await chosen(page)).toHaveText(/^Work/);
  await page.keyboard.type('palettef');
  await expect(options(page)).toHaveCount(1);
  await expect(options(page)).toContainText(`Demo Palettefound${reference} · ${person.email}`);
  await expect(options(page).locator('b').first()).toHaveText('Palettef');
  await expect(palette(page).getByRole('status')).toHaveText('1 result');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Demo Palettefound');
  await expect(palette(page)).toHaveCount(0);
  await expect(heading(page)).toBeFocused();
  await page.goBack();
  await expect(heading(page)).toHaveText('Settings');

  // Enter works even before the server has answered.
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(reference);
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Demo Palettefound');

  // Actions on the open application come first.
  await page.keyboard.press('Control+k');
  const group = palette(page).getByRole('group', { name: 'Demo Palettefound' });
  await expect(group.getByRole('option', { name: 'Timeline' })).toBeAttached();
  await expect(palette(page).getByRole('group').first()).toHaveAccessibleName('Demo Palettefound');
  await page.keyboard.type('withdraw');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/act\?act=withdraw/);
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('timel');
  await page.keyboard.press('Enter');
  await expect(tab(page, 'Timeline')).toHaveAttribute('aria-current', 'page');
  await expectSameDocument(page);
  expect(heard).toEqual([]);
});

test('the palette is used by keyboard, from wherever the focus is', async ({ page, server }) => {
  const heard = complaints(page);
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/applications?tab=all');
  await hydrated(page);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.focus();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator(`#${await field(page).getAttribute('aria-controls')}`)).toHaveRole('listbox');
  await expectAccessible(page);

  await expect(await chosen(page)).toHaveText(/^Work/);
  await page.keyboard.press('ArrowDown');
  await expect(await chosen(page)).toHaveText(/^Applications/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(await chosen(page)).toHaveText('Log out');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(search).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
  await expect(search).toBeFocused();

  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Search or go to…' }).click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('nobody-like-this');
  await expect(palette(page).getByRole('status')).toHaveText('No application matches “nobody-like-this”.');
  await expect(field(page)).toHaveAttribute('aria-expanded', 'false');
  await field(page).fill('dark');
  await options(page).filter({ hasText: 'Switch to the dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Control+k');
  await field(page).fill('fig');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin-panel/applications/figures');
  await page.keyboard.press('Control+k');
  await field(page).fill('log out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin-panel\/login/);
  expect(heard).toEqual([]);
});

test('without the server it says so, and asks again', async ({ page, server, playwright, baseURL }) => {
  expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  const request = await playwright.request.newContext({ baseURL });
  await submittedByApi(request, { ...newPerson(), lastName: 'Paletteagain' });
  await request.dispose();
  await logInStaff(page, newOwner(server));
  await hydrated(page);
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.context().setOffline(true);
  await page.keyboard.type('paletteagain');
  await expect(palette(page).getByRole('alert')).toContainText('The server cannot be reached.');
  await page.context().setOffline(false);
  await palette(page).getByRole('button', { name: 'Try again' }).click();
  await expect(options(page)).toContainText('Demo Paletteagain');
});

test('the keys are shown everywhere, and lead to the pages of the role', async ({ page, server }) => {
  const heard = complaints(page);
  await logInStaff(page, newStaff(server, 'finance'));
  await page.goto('/admin-panel/account');
  await hydrated(page);
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await expect(sheet).toContainText('Show the keys');
  await expect(sheet).toContainText('Finance');
  await expect(sheet).not.toContainText('Questionnaires');
  await expect(sheet).not.toContainText('On this page');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(heading(page)).toHaveText('Applications');
  await page.keyboard.press('?');
  await expect(sheet).toContainText('On this page');
  await expect(sheet).toContainText('Choose the application');
  await page.keyboard.press('Escape');

  // Also from the palette, which closes.
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('keys');
  await page.keyboard.press('Enter');
  await expect(sheet).toBeVisible();
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await expect(options(page).filter({ hasText: 'Finance' })).toHaveCount(1);
  await expect(options(page).filter({ hasText: 'Questionnaires' })).toHaveCount(0);
  expect(heard).toEqual([]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('there is no button that does nothing', async ({ page, server }) => {
    await logInStaff(page, newOwner(server));
    await expect(heading(page)).toHaveText('Work');
    await expect(page.getByRole('button', { name: 'Search or go to…' })).toHaveCount(0);
  });
});
