// The wording of letters, the list of reasons, the interviewers' rubric, and a forgotten staff password.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { linkTo, mailsTo } from './support/mailbox';
import { logInStaff, newOwner, newStaff } from './support/staff';
import { expect, test as base } from './support/test';

// What is set here would affect all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a Decider writes a letter, and an Owner reasons and slot rules', async ({ page, ownServer }) => {
      test.slow();
      const heard = complaints(page);
      const accessible = async () => {
        if (!javaScriptEnabled) return;
        await hydrated(page);
        await expectAccessible(page);
      };
      await logInStaff(page, newStaff(ownServer, 'decider'));
      await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
      await expect(page.getByRole('link', { name: 'Banner' })).toHaveCount(0);
      await page.getByRole('link', { name: 'Letters' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Letters');
      await accessible();
      await page.getByRole('link', { name: 'No place', exact: true }).click();
      await page.getByLabel('Text in English').fill('Dear {name},\n\nSorry.\n\n{conditions}');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toContainText('There is no field {conditions} here.');
      await expect(page.getByLabel('Text in English')).toHaveValue('Dear {name},\n\nSorry.\n\n{conditions}');
      await accessible();
      await page.getByLabel('Text in English').fill('Dear {name},\n\nSorry.\n\n{reasons}');
      await page.getByRole('button', { name: 'Preview' }).click();
      await expect(page.getByRole('status')).toContainText('Nothing is saved yet.');
      const preview = page.getByRole('article', { name: 'Preview in English' });
      await expect(preview).toContainText('Dear Sample Person,');
      await expect(preview).toContainText('These are the reasons:');
      await accessible();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toContainText('It holds from now on.');
      await page.getByRole('button', { name: 'Restore what the product came with' }).click();
      await expect(page.getByRole('status')).toContainText('The earlier version holds again.');
      await expect(page.getByLabel('Text in English')).toHaveValue(/We wish you well\.$/);
      await page.goto('/admin-panel/settings/reasons');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your role does not allow this');

      await page.context().clearCookies();
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/settings');
      await page.getByRole('link', { name: 'Reasons for rejections' }).click();
      const another = page.getByRole('group', { name: 'Another reason' });
      await another.getByLabel('In English').fill('No desk is free.');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toContainText('Write it in Spanish too.');
      await accessible();
      await another.getByLabel('In Spanish').fill('No hay mesa libre.');
      const goals = page.getByRole('group', { name: /What you want to achieve/ });
      await goals.getByLabel('Whether it can be chosen').selectOption('no');
      const places = page.getByRole('group', { name: /more good applications/ });
      await places.getByLabel('Place in the list').fill('1');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toContainText('It holds from now on.');
      await expect(page.getByRole('main').getByRole('group').first()).toHaveAccessibleName(
        /^1\. There were more good/,
      );
      await expect(page.getByRole('group', { name: '9. No desk is free.' })).toBeVisible();
      await page.getByText('What changed').click();
      await expect(page.getByRole('list', { name: 'What changed with version 1' })).toContainText('Retired');
      await accessible();

      await page.goto('/admin-panel/settings/slot-rules');
      await page.getByLabel('Minutes of an interview').fill('5');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toContainText('between 10 and 240');
      await accessible();
      await page.getByLabel('Minutes of an interview').fill('25');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toContainText('It holds from now on.');
      await page.goto('/admin-panel/interviews');
      await expect(page.getByLabel('Minutes of an interview')).toHaveValue('25');
      const complained = heard.filter((each) => !/status of (403|422)|ERR_ABORTED/.test(each));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });

    test('somebody of the office forgot their password', async ({ page, ownServer }) => {
      const staff = newStaff(ownServer, 'reviewer');
      await page.goto('/admin-panel/login');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Email').fill('nobody');
      await page.getByRole('button', { name: 'Send the link' }).click();
      await expect(page.getByLabel('Email')).toHaveValue('nobody');
      await expect(page.getByRole('alert')).toContainText('email');
      await page.getByLabel('Email').fill(staff.email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await expect(page.getByRole('status')).toContainText('If there is an account of staff with this email');
      if (javaScriptEnabled) await expectAccessible(page);
      const link = await linkTo(page.request, staff.email);
      await page.goto(link);
      await page.getByLabel('New password', { exact: true }).fill('words that are new here');
      await page.getByLabel(/Repeat/).fill('something else');
      await page.getByRole('button', { name: 'Set new password' }).click();
      await expect(page.getByRole('alert')).toContainText('Passwords do not match');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByLabel('New password', { exact: true }).fill('words that are new here');
      await page.getByLabel(/Repeat/).fill('words that are new here');
      await page.getByRole('button', { name: 'Set new password' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new password is set');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.goto(link);
      await page.getByLabel('New password', { exact: true }).fill('words that are new here');
      await page.getByLabel(/Repeat/).fill('words that are new here');
      await page.getByRole('button', { name: 'Set new password' }).click();
      await expect(page.getByRole('alert')).toContainText('no longer valid');
      const [mail] = await mailsTo(page.request, staff.email);
      expect(mail?.subject).toBe('A new password was set');
      await logInStaff(page, { ...staff, password: 'words that are new here' });
      await expect(page).toHaveURL('/admin-panel/work');
    });
  });
}
