// Settings of Owners: prices, deadlines and the banner, which take effect on applicants' pages immediately.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated, wake } from './support/browser';
import { logInStaff, newOwner } from './support/staff';
import { expect, test as base } from './support/test';

// What is set here would affect all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an Owner sets a price, a deadline and a banner', async ({ page, ownServer }) => {
      test.slow();
      const heard = complaints(page);
      await page.goto('/bachelor/apply');
      await expect(page.getByRole('main')).toContainText('$24,800');
      await logInStaff(page, newOwner(ownServer));
      await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('searchbox', { name: 'Search the settings' }).fill('price whole');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await expect(page.getByRole('list', { name: 'What applicants see' })).toContainText(
        'Price of the whole program',
      );
      await expect(page.getByRole('link', { name: 'Banner' })).toHaveCount(0);
      await page.getByRole('link', { name: 'Bachelor’s program' }).click();
      await page.getByLabel('Price of the whole program').fill('a lot');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toContainText('Enter whole dollars');
      await expect(page.getByLabel('Price of the whole program')).toHaveValue('a lot');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByLabel('Price of the whole program').fill('25,500');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toContainText('It holds from now on.');
      await page.getByRole('link', { name: 'See the page' }).click();
      await expect(page.getByRole('main')).toContainText('$25,500');
      await page.goto('/admin-panel/settings/bachelor');
      await page.getByText('What changed').click();
      await expect(page.getByRole('list', { name: 'What changed with version 1' })).toContainText('24800');
      await page.getByRole('button', { name: 'Restore what the product came with' }).click();
      await expect(page.getByRole('status')).toContainText('The earlier version holds again.');

      await page.goto('/admin-panel/settings/deadlines');
      await page
        .getByRole('button', { name: /a week more/ })
        .first()
        .click();
      await expect(page.getByRole('status')).toContainText('The deadline is a week later.');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }

      await page.goto('/admin-panel/settings/banner');
      await page.getByLabel('Text in English').fill('The office is closed on Monday.');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toContainText('Write it in Spanish too.');
      await page.getByLabel('Text in Spanish').fill('La oficina cierra el lunes.');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toContainText('It holds from now on.');

      await page.goto('/masters/apply');
      const banner = page.getByRole('region', { name: 'News' });
      await expect(banner).toContainText('The office is closed on Monday.');
      if (javaScriptEnabled) {
        await expectAccessible(page);
        await wake(page);
      }
      await banner.getByRole('button', { name: 'Hide this notice' }).click();
      await expect(banner).toHaveCount(0);
      await expect(page).toHaveURL('/masters/apply');
      await page.goto('/bachelor/apply');
      await expect(page.getByRole('main')).toContainText('$24,800');
      await expect(banner).toHaveCount(0);
      // Refused forms have an error status, and a redirect that is not followed is not a failure.
      const complained = heard.filter((each) => !/status of 422|ERR_ABORTED/.test(each));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });

    test('an Owner writes what an email says', async ({ page, ownServer }) => {
      test.slow();
      const owner = newOwner(ownServer);
      await logInStaff(page, owner);
      await page.goto('/admin-panel/settings');
      await page.getByRole('link', { name: 'Emails to applicants' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Emails to applicants');
      await expect(page.getByRole('main')).toContainText('Reset your password');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('link', { name: 'There is a decision' }).click();
      await expect(page.getByRole('main')).toContainText('This email must not tell a decision');
      await page.getByLabel('Subject in English').fill('News for {firstName}');
      await page.getByLabel('Text in English').fill('Congratulations, {name}!');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toContainText('congratulations');
      await expect(page.getByLabel('Text in English')).toHaveValue('Congratulations, {name}!');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByLabel('Text in English').fill('Hello {name},\n\nRead it: {link}');
      await page.getByRole('button', { name: 'Preview' }).click();
      await expect(page.getByRole('alert')).toContainText('There is no field {name}');
      await page.getByLabel('Text in English').fill('Hello {firstName},\n\nRead it: {link}');
      await page.getByRole('button', { name: 'Preview' }).click();
      await expect(page.getByRole('status')).toContainText('Nothing is saved yet.');
      const preview = page.getByRole('article', { name: 'Preview in English' });
      await expect(preview).toContainText('Hello Sample,');
      await expect(preview.locator('mark').first()).toHaveText('Sample');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByRole('button', { name: 'Send a test to myself in English' }).click();
      await expect(page.getByRole('status')).toContainText(`A test is on its way to ${owner.email}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toContainText('It holds from now on.');
      await page.goto('/admin-panel/settings/deliveries');
      await expect(page.getByRole('main')).toContainText('[Test] News for Sample');
      await page.goto('/admin-panel/settings/mail-status-update');
      await page.getByRole('button', { name: 'Restore what the product came with' }).click();
      await expect(page.getByLabel('Subject in English')).toHaveValue(
        'There is an update to your application',
      );
    });

    test('an Owner looks at mails, jobs, the record and refused fields', async ({ page, ownServer }) => {
      const owner = newOwner(ownServer);
      await logInStaff(page, owner);
      await page.goto('/admin-panel/settings');
      await page.getByRole('link', { name: 'Emails and jobs' }).click();
      await expect(page.getByRole('list', { name: 'Jobs' })).toContainText('sweep');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.goto('/admin-panel/settings');
      await page.getByRole('link', { name: 'Record' }).click();
      await page.getByLabel('Person').fill('nobody@example.org');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await expect(page.getByRole('alert')).toContainText('Nobody has this email address.');
      await expect(page.getByLabel('Person')).toHaveValue('nobody@example.org');
      await page.getByLabel('Person').fill(owner.email);
      await page.getByLabel('Act').fill('staff.created');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await expect(page.getByRole('list', { name: 'Record' })).toContainText('staff.created');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.goto('/admin-panel/settings/form-health');
      await expect(page.getByRole('main')).toContainText('Only counts are kept');
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });
}
