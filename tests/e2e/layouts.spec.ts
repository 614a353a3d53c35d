// The layout persists while pages change, and what was opened in it is closed.
import type { Locator, Page } from '@playwright/test';
import { expectSameDocument, hydrated, markDocument } from './support/browser';
import { logInStaff, newOwner } from './support/staff';
import { expect, expectComplaint, test } from './support/test';

/** Marks elements; the returned function expects the same elements to be still there. */
async function staying(...elements: Locator[]): Promise<() => Promise<void>> {
  for (const element of elements) await element.evaluate((node) => Object.assign(node, { isMarked: true }));
  return async () => {
    for (const element of elements)
      expect(await element.evaluate((node) => 'isMarked' in node), String(element)).toBe(true);
  };
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('the office’s sidebar stays between its pages, scrolled as it was', async ({ page, server }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await logInStaff(page, newOwner(server));
  await expect(page).toHaveURL('/admin-panel/work');
  await hydrated(page);
  await markDocument(page);
  const menu = page.getByRole('navigation', { name: 'Office' });
  // As on a screen too low to show all of it.
  await menu.evaluate((node) => {
    node.style.maxHeight = '150px';
    node.scrollTop = 60;
  });
  const stay = await staying(page.getByRole('banner'), menu, page.getByRole('main'));
  await menu.getByRole('link', { name: 'Finance' }).click();
  await expect(heading(page)).toHaveText('Finance');
  await expect(menu.getByRole('link', { name: 'Finance' })).toHaveAttribute('aria-current', 'page');
  await menu.getByRole('link', { name: 'Settings' }).click();
  await expect(heading(page)).toHaveText('Settings');
  await stay();
  expect(await menu.evaluate((node) => node.scrollTop)).toBeGreaterThan(0);
  await page.goBack();
  await expect(heading(page)).toHaveText('Finance');
  await expect(menu.getByRole('link', { name: 'Settings' })).not.toHaveAttribute('aria-current');
  await stay();
  await expectSameDocument(page);
});

test('the frame of an applicant’s pages stays, and its menus close', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 480, height: 800 });
  await page.goto('/dashboard');
  await hydrated(page);
  await markDocument(page);
  const drawer = page.getByRole('navigation', { name: 'Dashboard' });
  const stay = await staying(
    page.getByRole('banner'),
    page.locator('#drawer'),
    page.getByRole('contentinfo'),
  );
  await page.getByRole('button', { name: 'Menu' }).click();
  await drawer.getByRole('link', { name: 'Documents' }).click();
  await expect(heading(page)).toHaveText(/documents/i);
  await expect(drawer).toBeHidden();
  await expect(heading(page)).toBeFocused();
  await page.getByRole('banner').locator('summary').click();
  await page.getByRole('menuitem', { name: 'Messages' }).click();
  await expect(heading(page)).toHaveText(/messages/i);
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.getByRole('banner').locator('summary').click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.goBack();
  await expect(heading(page)).toHaveText(/documents/i);
  await expect(page.getByRole('menu')).toHaveCount(0);
  await stay();
  await expectSameDocument(page);
});

test('a crash takes the place of the frame, which is there again on the next page', async ({
  signedInPage: page,
}) => {
  expectComplaint(/Cannot read properties of undefined/);
  await page.goto('/dashboard');
  await hydrated(page);
  await page.route('**/dashboard/account', async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as { props: unknown };
    await route.fulfill({ response: answer, json: { ...json, props: {} } });
  });
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' }).click();
  await expect(heading(page)).toHaveText('Something went wrong');
  await expect(page.getByRole('banner')).toHaveCount(0);
  await page.goBack();
  await expect(heading(page)).toHaveText('Your admission');
  await expect(page.getByRole('banner')).toHaveCount(1);
});
