// Messages, changing the e-mail address, exporting one's data and closing an account: the same with and without
// JavaScript.

import { execFileSync } from 'node:child_process';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { linkTo, mailsTo } from './support/mailbox';
import { loginDialog, newPerson, registerByApi, registerUnconfirmed, submitLogin } from './support/people';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a message is new until it is opened', async ({ page, applicant }) => {
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      const menu = page.getByRole('navigation', { name: 'Dashboard' });
      await menu.getByRole('link', { name: 'Messages 2 unread' }).click();
      await expect(page).toHaveURL('/dashboard/messages');
      const message = page.getByRole('listitem').filter({ hasText: 'Application started' });
      await expect(message).toContainText('New');
      await message.getByRole('link').click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Application started');
      await expect(page.getByText(/Your answers are saved as you type/)).toBeVisible();
      await expect(menu.getByRole('link', { name: 'Messages 1 unread' })).toBeVisible();
      await page.getByRole('link', { name: 'All messages' }).click();
      await expect(message).not.toContainText('New');
      expect((await mailsTo(page.request, applicant.email)).length).toBe(2);
    });

    test('an address is confirmed by a button, and opening its link does nothing', async ({ page }) => {
      const person = newPerson();
      await registerUnconfirmed(page.request, person, 'ba');
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      const notice = page.getByText(`We have sent a link to ${person.email}.`);
      await expect(notice).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Send it again' }).click();
      await expect(page.getByText(`We have sent another link to ${person.email}.`)).toBeVisible();
      const mails = await mailsTo(page.request, person.email);
      expect(mails.map(({ subject }) => subject)).toEqual(['Confirm your email', 'Confirm your email']);

      const link = await linkTo(page.request, person.email);
      expect((await page.request.get(link)).status()).toBe(200);
      await page.goto('/dashboard');
      await expect(notice).toBeVisible();
      await page.goto(link);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Is this your email?');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your email is confirmed');
      await page.getByRole('link', { name: 'Go to your dashboard' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your admission');
      await expect(notice).toHaveCount(0);
      const sent = await mailsTo(page.request, person.email);
      expect(sent.map(({ subject }) => subject)).toContain('Application started');
    });

    test('an email changes when both links are confirmed, and opening them does nothing', async ({
      page,
      applicant,
      browser,
    }) => {
      const { email } = newPerson();
      await page.goto('/dashboard/account');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('link', { name: 'Change email' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change your email');
      await page.getByLabel('New email').fill(email);
      await page.getByRole('button', { name: 'Send the links' }).click();
      await expect(page.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
        /Enter your current password/,
      );
      await expect(page.getByLabel('New email')).toHaveValue(email);
      await page.getByLabel('Current password', { exact: true }).fill(applicant.password);
      await page.getByRole('button', { name: 'Send the links' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText('Not confirmed yet');

      // Mail scanners open every link, sometimes twice.
      const links = [await linkTo(page.request, applicant.email), await linkTo(page.request, email)];
      for (const link of [...links, ...links]) expect((await page.request.get(link)).status()).toBe(200);
      await page.reload();
      await expect(page.getByText('Not confirmed yet')).toHaveCount(2);

      // The mail to the new address is read in another browser.
      const elsewhere = await browser.newContext({ javaScriptEnabled });
      const elsewherePage = await elsewhere.newPage();
      await elsewherePage.goto(links[1]!);
      await expect(elsewherePage.getByRole('heading', { level: 1 })).toHaveText('Is this your new email?');
      await elsewherePage.getByRole('button', { name: 'Confirm' }).click();
      await expect(elsewherePage.getByRole('heading', { level: 1 })).toHaveText(
        'Confirmed. Now the other address',
      );
      await elsewhere.close();
      await page.reload();
      await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText('Confirmed');

      await page.goto(links[0]!);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your email has been changed');
      await page.getByRole('link', { name: 'Go to your account' }).click();
      await expect(page.getByRole('region', { name: 'Email' })).toContainText(email);
      expect((await mailsTo(page.request, email))[0]?.subject).toBe('Your email was changed');

      await page.goto(links[0]!);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is no longer valid');
      await page.context().clearCookies();
      await page.goto('/dashboard');
      await submitLogin(page, applicant);
      await expect(loginDialog(page).getByRole('alert')).toBeVisible();
      await submitLogin(page, { ...applicant, email });
      await expect(page).toHaveURL('/dashboard');
    });

    test('a change of the email is sent again, and stopped from its link', async ({ page, applicant }) => {
      const { email } = newPerson();
      await page.goto('/dashboard/account/email');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByLabel('New email').fill(email);
      await page.getByLabel('Current password', { exact: true }).fill(applicant.password);
      await page.getByRole('button', { name: 'Send the links' }).click();
      await expect(page.getByRole('button', { name: 'Cancel the change' })).toBeVisible();
      const replaced = await linkTo(page.request, email);
      await page.getByRole('button', { name: 'Send the links again' }).click();
      await expect(page.getByRole('status')).toContainText('We have written to both addresses.');
      await page.goto(replaced);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is no longer valid');
      await page.goto(await linkTo(page.request, email));
      await page.getByRole('button', { name: 'Cancel the change' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('The change has been canceled');
      await page.goto('/dashboard/account');
      await expect(page.getByRole('link', { name: 'Change email' })).toBeVisible();
    });

    test('one’s data are downloaded as a zip', async ({ page, applicant }) => {
      await page.goto('/dashboard/account');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByLabel('Your password', { exact: true }).fill('wrong horse battery staple');
      await page.getByRole('button', { name: 'Download my data' }).click();
      await expect(page.getByRole('alert')).toContainText('This is not your current password.');
      await page.getByLabel('Your password', { exact: true }).fill(applicant.password);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download my data' }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe('my-data.zip');
      const path = await download.path();
      execFileSync('unzip', ['-tq', path]);
      const unzip = (name: string) => execFileSync('unzip', ['-p', path, name], { encoding: 'utf8' });
      expect(unzip('README.txt')).toContain('data.json is a text file');
      const data = JSON.parse(unzip('data.json')) as {
        account: { email: string };
        applications: { status: string }[];
        messages: { subject: string }[];
      };
      expect(data.account.email).toBe(applicant.email);
      expect(data.applications.map((application) => application.status)).toEqual(['incomplete/draft']);
      expect(data.messages.map((message) => message.subject)).toEqual([
        'Application started',
        'Confirm your email',
      ]);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
    });

    test('an account is closed, and its email can be registered again', async ({ page, applicant }) => {
      await page.goto('/dashboard/account');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('link', { name: 'Close your account' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Close your account');
      await expect(page.getByText('Your application for the Bachelor’s program.')).toBeVisible();
      await page.getByRole('button', { name: 'Close my account' }).click();
      await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(/Check the box/);
      await page.getByRole('checkbox').check();
      await page.getByLabel('Current password', { exact: true }).fill(applicant.password);
      await page.getByRole('button', { name: 'Close my account' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account is closed');
      await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
      if (javaScriptEnabled) expect(await page.evaluate(() => localStorage.length)).toBe(0);

      await page.goto('/dashboard');
      await submitLogin(page, applicant);
      await expect(loginDialog(page).getByRole('alert')).toBeVisible();
      await registerByApi(page.request, applicant, 'ba');
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'In progress' })).toBeVisible();
    });
  });
}

test('the time zone of the device is offered, reminders are declined, in place', async ({
  page,
  applicant,
}) => {
  await page.goto('/dashboard/account');
  await hydrated(page);
  const profile = page.getByRole('region', { name: 'Profile' });
  await profile.getByRole('button', { name: 'Use this device’s time zone' }).click();
  await expect(profile.getByLabel('Time zone')).toHaveValue('America/New York');
  await profile.getByRole('button', { name: 'Save profile' }).click();
  await expect(profile.getByText('Your profile is saved.')).toBeVisible();
  const notifications = page.getByRole('region', { name: 'Notifications' });
  await notifications.getByRole('switch').uncheck();
  await expect(notifications.getByText('Your choice is saved.')).toBeVisible();
  await page.reload();
  await expect(notifications.getByRole('switch')).not.toBeChecked();
  await expect(profile.getByLabel('Time zone')).toHaveValue('America/New York');
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(applicant.email);
});

test('a changed name is saved or given up, not lost', async ({ page, applicant }) => {
  await page.goto('/dashboard/account');
  await hydrated(page);
  const profile = page.getByRole('region', { name: 'Profile' });
  const firstName = profile.getByLabel('First name');
  await firstName.fill(`${applicant.firstName}-Demo`);
  const home = page.getByRole('link', { name: 'Dashboard' }).first();
  await home.click();
  const asks = page.getByRole('dialog', { name: 'Leave without saving?' });
  await asks.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(firstName).toHaveValue(`${applicant.firstName}-Demo`);
  await profile.getByRole('button', { name: 'Save profile' }).click();
  await expect(profile.getByText('Your profile is saved.')).toBeVisible();
  await home.click();
  await expect(page).toHaveURL('/dashboard');
});
