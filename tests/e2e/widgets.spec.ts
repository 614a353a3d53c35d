// Parts that need a script to open: menus, toasts, tips, suggestions, skeletons; and their fallbacks without one.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { logInStaff, newOwner } from './support/staff';
import { expect, expectComplaint, test } from './support/test';

test.describe('the account menu', () => {
  test('is used by keyboard, and axe finds nothing', async ({ page, applicant }) => {
    const heard = complaints(page);
    await page.goto('/dashboard');
    await hydrated(page);
    const button = page.getByRole('banner').locator('summary');
    await button.focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu', { name: 'Your pages' });
    await expect(menu).toContainText(applicant.email);
    await expect(menu.getByRole('menuitem', { name: 'Dashboard' })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('ArrowUp');
    await expect(menu.getByRole('menuitem', { name: 'Log out' })).toBeFocused();
    await page.keyboard.press('m');
    await expect(menu.getByRole('menuitem', { name: 'Messages' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await menu.getByRole('menuitem', { name: 'Messages' }).press('Enter');
    await expect(page).toHaveURL('/dashboard/messages');
    await expect(menu).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await button.click();
    await menu.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/bachelor/apply');
    expect(heard).toEqual([]);
  });

  test('is the browser’s own disclosure when its chunk cannot be fetched', async ({ signedInPage: page }) => {
    expectComplaint(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/dashboard');
    await hydrated(page);
    await page.context().setOffline(true);
    await page.getByRole('banner').locator('summary').click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Messages' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('button', { name: 'Log out' })).toBeVisible();
  });

  test('of the office leads to the account, and out', async ({ page, server }) => {
    const owner = newOwner(server);
    await logInStaff(page, owner);
    await hydrated(page);
    const button = page.getByRole('banner').locator('summary');
    await button.click();
    const menu = page.getByRole('menu', { name: 'Your account' });
    await expectAccessible(page);
    await menu.getByRole('menuitem', { name: 'Your account' }).click();
    await expect(page).toHaveURL('/admin-panel/account');
    await button.click();
    await menu.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/admin-panel/login');
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('opens all the same', async ({ page, applicant, server }) => {
      await page.goto('/dashboard');
      await page.getByRole('banner').locator('summary').click();
      await expect(page.getByRole('banner').getByText(applicant.email)).toBeVisible();
      await page.getByRole('banner').getByRole('link', { name: 'Messages' }).click();
      await expect(page).toHaveURL('/dashboard/messages');
      await logInStaff(page, newOwner(server));
      await page.getByRole('banner').locator('summary').click();
      await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
      await expect(page).toHaveURL('/admin-panel/login');
    });
  });
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a change of a setting is told, and taken back', async ({ page, server }) => {
      const heard = complaints(page);
      await logInStaff(page, newOwner(server));
      await page.goto('/admin-panel/settings/banner');
      const text = page.getByLabel('Text in English');
      await text.fill('The office is closed on Friday.');
      await page.getByLabel('Text in Spanish').fill('La oficina cierra el viernes.');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const toast = page.getByRole('status').filter({ hasText: 'It holds from now on.' });
      await expect(toast).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      } else await expect(toast.getByRole('button', { name: 'Close' })).toHaveCount(0);
      await toast.getByRole('button', { name: 'Undo' }).click();
      await expect(text).toHaveValue('');
      if (javaScriptEnabled) {
        await page.getByRole('button', { name: 'Close' }).click();
        await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
        expect(heard).toEqual([]);
      }
    });
  });
}

test('a saved profile is told anew each time, until it is put away', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/account');
  await hydrated(page);
  const told = page.getByRole('status').filter({ hasText: 'Your profile is saved.' });
  const save = page.getByRole('button', { name: 'Save profile' });
  await save.click();
  await expect(told).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(told).toHaveCount(0);
  await save.click();
  await expect(told).toBeVisible();
  await page.getByRole('switch').click();
  await expect(page.getByRole('status').filter({ hasText: 'Your choice is saved.' })).toBeVisible();
  await expect(told).toHaveCount(0);
});

test('a time zone is suggested while it is typed', async ({ signedInPage: page }) => {
  const heard = complaints(page);
  await page.goto('/dashboard/account');
  await hydrated(page);
  const field = page.getByLabel('Time zone');
  await field.click();
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveAttribute(
    'aria-autocomplete',
    'list',
  );
  await expect(field).toBeFocused();
  await field.fill('berl');
  await expect(page.getByRole('option', { name: 'Europe/Berlin' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('Europe/Berlin');
  await page.getByRole('link', { name: 'Messages' }).first().click();
  await page.getByRole('button', { name: 'Stay on this page' }).click();
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Your profile is saved.')).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue('Europe/Berlin');
  expect(heard).toEqual([]);
});

test('what waits for long shows lines in the place of what comes', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await hydrated(page);
  await page.route(
    (url) => url.pathname === '/dashboard/messages',
    () => new Promise(() => {}),
  );
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Messages' }).click();
  await expect(page.locator('.loading-screen')).toHaveText(/^Loading/);
  await expect(page.locator('.loading-screen .MuiSkeleton-root')).toHaveCount(4);
});

test('what the icons of a question mean is told to who points at them, or is on them', async ({
  page,
  server,
}) => {
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/questionnaires');
  await page.getByRole('link', { name: 'Write other questions for the Bachelor’s program' }).click();
  await hydrated(page);
  const button = page.getByRole('button', { name: /^Move down/ }).first();
  await button.hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});
