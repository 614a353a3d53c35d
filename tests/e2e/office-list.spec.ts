// The list of applications: found, chosen, tagged and given to somebody.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
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
      await page.getByRole('search').getByRole('button', { name: 'Show' }).first().click();
      await expect(page).toHaveURL(new RegExp(`q=${person.lastName.toLowerCase()}`));
      const row = page.getByRole('row').filter({ hasText: reference });
      await expect(row).toContainText('Submitted');
      await expect(page.getByText('1 application', { exact: true })).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      // Without a choice nothing happens, and it is said.
      await page.getByLabel('Tag to add or take off').fill('Second look');
      await page.getByRole('button', { name: 'Add…' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose at least one application');
      await row.getByRole('checkbox').check();
      await page.getByLabel('Tag to add or take off').fill('Second look');
      await page.getByRole('button', { name: 'Add…' }).click();
      await expect(page.getByRole('heading', { name: 'Tag “second look” on 1 application' })).toBeVisible();
      await expect(row).not.toContainText('second look');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Do it' }).click();
      await expect(row).toContainText('second look');
      await row.getByRole('checkbox').check();
      await page.getByLabel('Who looks after them').selectOption({ label: owner.email });
      await page.getByRole('button', { name: 'Assign…' }).click();
      await page.getByRole('button', { name: 'Do it' }).click();
      await expect(row).toContainText(owner.email);
      // A view is its address.
      await page.goto(`/admin-panel/applications?tab=all&tag=second+look&q=${person.lastName}`);
      await expect(row).toBeVisible();
      await page.getByRole('link', { name: /Tag: Second look/ }).click();
      await expect(page).not.toHaveURL(/tag=/);
      await page.goto('/admin-panel/applications?tab=all&q=nobody-like-this');
      await expect(page.getByRole('main')).toContainText('No application is like that.');
      // What was refused was refused with a status, of which the browser tells too.
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
      await page.getByText('Columns', { exact: true }).first().click();
      await page.getByRole('checkbox', { name: 'Waiting' }).uncheck();
      await page.getByRole('checkbox', { name: 'Phone' }).check();
      await page.getByRole('group', { name: 'Columns' }).locator('..').getByRole('button').click();
      await expect(page).toHaveURL(/column=phone/);
      const table = page.getByRole('table');
      await expect(table.getByRole('columnheader', { name: 'Phone' })).toBeVisible();
      await expect(table.getByRole('columnheader', { name: 'Waiting' })).toHaveCount(0);
      await expect(page.getByRole('row').filter({ hasText: reference })).toContainText('+1');

      // Without a name it is not kept, and it is said where.
      await page.getByText('Save this view', { exact: true }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Give the view a name.').last()).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      const views = page.getByRole('region', { name: 'Saved views' });
      const name = `Phones of ${person.lastName}`;
      await page.getByLabel('Name of the view').fill(name);
      await page.getByLabel('For everybody of the office').check();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('The view is saved.')).toBeVisible();
      await expect(views.getByRole('link', { name })).toHaveAttribute('aria-current', 'true');
      await page.goto('/admin-panel/applications?tab=all');
      await views.getByRole('link', { name }).click();
      await expect(table.getByRole('columnheader', { name: 'Phone' })).toBeVisible();

      await views.getByText(`Rename or delete “${name}”`).click();
      await page.getByLabel('Name of the view').fill(`${name}, again`);
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await expect(views.getByRole('link', { name: `${name}, again` })).toBeVisible();
      await views.getByText(`Rename or delete “${name}, again”`).click();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await expect(page.getByRole('heading', { name: `Delete the view “${name}, again”?` })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('link', { name: 'Keep it' }).click();
      // The page that asks shows the views, too.
      await expect(page.getByRole('heading', { name: `Delete the view “${name}, again”?` })).toHaveCount(0);
      await views.getByText(`Rename or delete “${name}, again”`).click();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('button', { name: 'Delete the view' }).click();
      await expect(page.getByText('The view is deleted.')).toBeVisible();
      await expect(views.getByRole('link', { name: `${name}, again` })).toHaveCount(0);
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });

    test('figures are drawn, and told in tables', async ({ page, server }) => {
      const heard = complaints(page);
      await logInStaff(page, newOwner(server));
      await page.goto('/admin-panel/applications?tab=all');
      await page.getByRole('link', { name: 'Figures' }).click();
      await expect(page).toHaveURL('/admin-panel/applications/figures');
      await expect(page.getByRole('img', { name: /^Chart: applications by week/ })).toBeVisible();
      await expect(page.getByRole('img', { name: /^Chart: days from submission/ })).toBeVisible();
      await expect(page.getByRole('img', { name: /^Chart: applications by stage/ })).toBeVisible();
      await page.getByText('The numbers').first().click();
      const numbers = page.getByRole('region', { name: 'Numbers: How far they have got' });
      await expect(numbers.getByRole('row')).toHaveCount(28);
      await expect(numbers.getByRole('row').last()).toContainText('All weeks');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
        expect(heard).toEqual([]);
      }
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
  await expect(page.getByRole('group', { name: 'With the 1 chosen' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Next application');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search')).toBeFocused();
});
