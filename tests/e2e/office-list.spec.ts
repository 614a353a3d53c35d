// The list of applications: searching, selecting, tagging and assigning.

import { expectAccessible } from './support/accessible';
import type { Page } from '@playwright/test';
import { complaints, expectSameDocument, hydrated, markDocument } from './support/browser';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an application is found, tagged and given to somebody', async ({
      page,
      server,
      playwright,
      baseURL,
    }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: javaScriptEnabled ? 'Lister' : 'Plainlister' };
      const { reference } = await submittedByApi(request, person);
      await request.dispose();
      const owner = newOwner(server);
      await logInStaff(page, owner);
      await expect(page).toHaveURL('/admin-panel/work');
      await page.goto('/admin-panel/applications?tab=all');
      await page.getByLabel('Search').fill(person.lastName.toLowerCase());
      // With JavaScript the search runs while typing.
      const show = page.getByRole('search').getByRole('button', { name: 'Show' });
      if (javaScriptEnabled) await expect(show).toHaveCount(0);
      else await show.first().click();
      await expect(page).toHaveURL(new RegExp(`q=${person.lastName.toLowerCase()}`));
      const row = page.getByRole('row').filter({ hasText: reference });
      await expect(row).toContainText('Submitted');
      await expect(page.getByText('1 application', { exact: true })).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      const bar = page.locator('.list-bar');
      if (javaScriptEnabled) {
        await expect(bar).toHaveCount(0);
      } else {
        // Without a selection nothing happens, and the page says so.
        await bar.getByText('Tag', { exact: true }).click();
        await page.getByLabel('Tag to add or take off').fill('Second look');
        await page.getByRole('button', { name: 'Add…' }).click();
        await expect(page.getByRole('alert')).toContainText('Choose at least one application');
      }
      await row.getByRole('checkbox').check();
      await bar.getByText('Tag', { exact: true }).click();
      await page.getByLabel('Tag to add or take off').fill('Second look');
      await page.getByRole('button', { name: 'Add…' }).click();
      await expect(page.getByRole('heading', { name: 'Tag “second look” on 1 application' })).toBeVisible();
      await expect(row).not.toContainText('second look');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Do it' }).click();
      await expect(row).toContainText('second look');
      await row.getByRole('checkbox').check();
      await bar.getByText('Assign', { exact: true }).click();
      await page.getByLabel('Who looks after them').selectOption({ label: owner.email });
      await page.getByRole('button', { name: 'Assign…' }).click();
      await page.getByRole('button', { name: 'Do it' }).click();
      await expect(row).toContainText(owner.email);
      // A view is defined by its address.
      await page.goto(`/admin-panel/applications?tab=all&tag=second+look&q=${person.lastName}`);
      await expect(row).toBeVisible();
      await page.getByRole('link', { name: /Tag: Second look/ }).click();
      await expect(page).not.toHaveURL(/tag=/);
      await page.goto('/admin-panel/applications?tab=all&q=nobody-like-this');
      await expect(page.getByRole('main')).toContainText('No application is like that.');
      // Refused forms have an error status, which the browser also logs.
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });

    test('a view is named, renamed and deleted, with the columns that were chosen', async ({
      page,
      server,
      playwright,
      baseURL,
    }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: javaScriptEnabled ? 'Viewed' : 'Plainviewed' };
      const { reference } = await submittedByApi(request, person);
      await request.dispose();
      await logInStaff(page, newOwner(server));
      await page.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
      if (javaScriptEnabled) await hydrated(page);
      const search = page.getByRole('search');
      await search.getByText('Display', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'Waiting' }).uncheck();
      await page.getByRole('checkbox', { name: 'Phone' }).check();
      if (!javaScriptEnabled) await search.getByRole('button', { name: 'Show' }).last().click();
      const table = page.getByRole('table');
      await expect(table.getByRole('columnheader', { name: 'Phone' })).toBeVisible();
      await expect(table.getByRole('columnheader', { name: 'Waiting' })).toHaveCount(0);
      await expect(page.getByRole('row').filter({ hasText: reference })).toContainText('+1');

      // Chosen columns are kept for the user: with JavaScript immediately.
      if (!javaScriptEnabled) {
        await search.getByText('Display', { exact: true }).click();
        await page.getByRole('button', { name: 'Keep as my columns' }).click();
      }
      await page.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
      await expect(table.getByRole('columnheader', { name: 'Phone' })).toBeVisible();
      if (javaScriptEnabled) await hydrated(page);

      // A view without a name is not saved, and the error is shown next to the field.
      const views = page.getByRole('region', { name: 'Saved views' });
      const menu = views.locator('summary');
      await menu.click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Give the view a name.').last()).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      const name = `Phones of ${person.lastName}`;
      await page.getByLabel('Name of the view').fill(name);
      await page.getByLabel('For everybody of the office').check();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('The view is saved.')).toBeVisible();
      await menu.click();
      await expect(views.getByRole('link', { name })).toHaveAttribute('aria-current', 'true');
      await page.goto('/admin-panel/applications?tab=all');
      await menu.click();
      // It also has a tab with its count.
      await expect(page.getByRole('navigation', { name: 'Tabs' }).getByRole('link', { name })).toBeVisible();
      await views.getByRole('link', { name }).click();
      await expect(table.getByRole('columnheader', { name: 'Phone' })).toBeVisible();

      await expect(menu).toHaveText(name);
      await menu.click();
      await page.getByLabel('Name of the view').fill(`${name}, again`);
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await expect(menu).toHaveText(`${name}, again`);
      await menu.click();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await expect(page.getByRole('heading', { name: `Delete the view “${name}, again”?` })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('link', { name: 'Keep it' }).click();
      // The confirmation page lists the views, too.
      await expect(page.getByRole('heading', { name: `Delete the view “${name}, again”?` })).toHaveCount(0);
      await menu.click();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('button', { name: 'Delete the view' }).click();
      await expect(page.getByText('The view is deleted.')).toBeVisible();
      await menu.click();
      await expect(views.getByRole('link', { name: `${name}, again` })).toHaveCount(0);
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });
  });
}

test('the list is used by keyboard', async ({ page, server, playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Keyboardlist' };
  await submittedByApi(request, person);
  await request.dispose();
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/applications?tab=all&q=keyboardlist');
  await hydrated(page);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: 'Choose Demo Keyboardlist' })).toBeChecked();
  await expect(page.getByRole('group', { name: '1 chosen' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Next application');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search')).toBeFocused();
});

/** Returns the number of rows that are completely visible without scrolling. */
const seenRows = (page: Page) =>
  page.locator('tbody tr').evaluateAll(
    (rows) =>
      rows.filter((row) => {
        const { left, top, bottom } = row.getBoundingClientRect();
        const isOnTop = (y: number) => row.contains(document.elementFromPoint(left + 40, y));
        return top >= 0 && bottom <= innerHeight && isOnTop(top + 1) && isOnTop(bottom - 1);
      }).length,
  );

test.describe('with a season in it', () => {
  test.use({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

  test('the list shows many rows, and what is chosen at its edge', async ({ page, ownServer }) => {
    ownServer.command(['seed', '--demo', '--season', '60']);
    await logInStaff(page, newOwner(ownServer));
    for (const [width, height, least] of [
      [1280, 900, 18],
      [1280, 720, 14],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto('/admin-panel/applications?tab=all&pageSize=50');
      await hydrated(page);
      expect(await seenRows(page), `rows on ${width} × ${height}`).toBeGreaterThanOrEqual(least);
    }
    const rows = page.locator('tbody tr');
    for (const height of await rows.evaluateAll((all) => all.map((row) => row.clientHeight))) {
      expect(height).toBe(40);
    }

    // After scrolling, names and column heads are still visible.
    const region = page.getByRole('region', { name: 'Applications' });
    await region.evaluate((table) => table.scrollTo(200, 600));
    const place = await region.boundingBox();
    const head = await page.getByRole('columnheader', { name: 'Name' }).boundingBox();
    expect(Math.abs(head!.y - place!.y)).toBeLessThan(4);
    expect(head!.x - place!.x).toBeLessThan(48);
    await region.evaluate((table) => table.scrollTo(0, 0));

    // Selects a range, the whole page, and the whole view.
    await markDocument(page);
    const boxes = page.getByRole('checkbox', { name: /^Choose (?!all)/ });
    await boxes.nth(1).click();
    await boxes.nth(6).click({ modifiers: ['Shift'] });
    await expect(page.getByRole('group', { name: '6 chosen' })).toBeInViewport({ ratio: 1 });
    await boxes.nth(2).click();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await expect(page.getByRole('group', { name: '3 chosen' })).toBeVisible();
    await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
    await expect(page.getByRole('group', { name: '50 chosen' })).toBeVisible();
    await page.getByRole('checkbox', { name: 'All 60 of this view' }).check();
    await expect(page.getByRole('group', { name: 'All of this view' })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(page.locator('.list-bar')).toHaveCount(0);

    // A choice in a menu applies immediately, and the menu stays open.
    await page.keyboard.press('f');
    await page.getByRole('combobox', { name: 'Program' }).selectOption({ label: 'Master’s' });
    await expect(page).toHaveURL(/program=msc/);
    const stage = page.getByRole('combobox', { name: 'Stage' });
    await stage.selectOption({ label: 'Offered' });
    await expect(page).toHaveURL(/program=msc.*stage=offered|stage=offered.*program=msc/);
    await page.keyboard.press('Escape');
    await expect(stage).toBeHidden();
    await page.locator('.list-chip summary').filter({ hasText: 'Stage: Offered' }).click();
    await page.getByRole('link', { name: 'Rejected', exact: true }).click();
    await expect(page).toHaveURL(/program=msc.*stage=rejected|stage=rejected.*program=msc/);
    await page.getByRole('link', { name: 'Take away: Stage: Rejected' }).click();
    await expect(page).not.toHaveURL(/stage=/);
    await expect(page.locator('summary').filter({ hasText: 'Filter' })).toBeFocused();
    await page.getByRole('link', { name: 'Clear all' }).click();
    await expect(page).not.toHaveURL(/program=/);

    // A column head sorts the list; pressing it again reverses the order.
    const submitted = page.getByRole('columnheader', { name: 'Submitted' });
    await expect(submitted).toHaveAttribute('aria-sort', 'descending');
    const first = await page.getByRole('rowheader').first().innerText();
    await submitted.getByRole('link').click();
    await expect(submitted).toHaveAttribute('aria-sort', 'ascending');
    await expect(page.getByRole('rowheader').first()).not.toHaveText(first);
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click();
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
    await expectSameDocument(page);
  });

  test('columns are moved and made wider, and rows sorted by two of them', async ({ page, ownServer }) => {
    await page.setViewportSize({ width: 1600, height: 900 });
    ownServer.command(['seed', '--demo', '--season', '60']);
    await logInStaff(page, newOwner(ownServer));
    await page.goto('/admin-panel/applications?tab=all');
    await hydrated(page);
    const heads = page.getByRole('columnheader');
    const head = (name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) });
    await head('Stage').getByRole('link').click();
    await expect(page).toHaveURL(/sort=stage$/);
    await head('Name')
      .getByRole('link')
      .click({ modifiers: ['Shift'] });
    await expect(page).toHaveURL(/sort=stage&then=name$/);
    await expect(head('Stage')).toHaveAttribute('aria-sort', 'ascending');
    await expect(head('Name')).toContainText('2');
    const names = await page.locator('tbody .list-name').allTextContents();
    const stages = await page.locator('tbody td[data-label="Stage"]').allTextContents();
    const last = (name: string) => name.trim().split(' ').pop()!.toLowerCase();
    for (let row = 1; row < names.length; row += 1)
      if (stages[row] === stages[row - 1]) expect(last(names[row]!) >= last(names[row - 1]!)).toBe(true);
    // A head dragged onto another one takes its place.
    await head('Owner').dragTo(head('Stage'));
    await expect(heads.nth(3)).toHaveText(/^Owner/);
    const grip = (await head('Owner').locator('.list-grip').boundingBox())!;
    const before = (await head('Owner').boundingBox())!.width;
    await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
    await page.mouse.down();
    await page.mouse.move(grip.x + grip.width / 2 + 60, grip.y + grip.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await head('Owner').boundingBox())!.width - before)).toBe(60);
    // The columns are kept for the user, in every tab and after leaving the page.
    await page.goto('/admin-panel/applications?tab=submitted');
    await expect(heads.nth(3)).toHaveText(/^Owner/);
    expect(Math.round((await head('Owner').boundingBox())!.width - before)).toBe(60);
    // The menu does the same by keyboard.
    await hydrated(page);
    await page.getByText('Display', { exact: true }).click();
    await page.getByRole('link', { name: 'Move Owner down' }).click();
    await expect(heads.nth(3)).toHaveText(/^Stage/);
    await page.getByRole('button', { name: 'Usual columns' }).click();
    await expect(page.getByText('The usual columns are back.')).toBeVisible();
  });

  test('on a phone each application is a card', async ({ page, ownServer }) => {
    ownServer.command(['seed', '--demo', '--season', '5']);
    await page.setViewportSize({ width: 360, height: 740 });
    await logInStaff(page, newOwner(ownServer));
    await page.goto('/admin-panel/applications?tab=all');
    await hydrated(page);
    const card = page.locator('tbody tr').first();
    const { x, width } = (await card.boundingBox())!;
    for (const cell of await card.locator('th, td').all()) {
      if (!(await cell.isVisible())) continue;
      const box = (await cell.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(x);
      expect(box.x + box.width).toBeLessThanOrEqual(x + width + 1);
    }
    await card.getByRole('checkbox').check();
    await expect(page.getByRole('group', { name: '1 chosen' })).toBeInViewport({ ratio: 1 });
  });
});
