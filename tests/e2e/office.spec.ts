// Staff accounts: invited, accepted, with a second factor, changed and suspended.

import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { linkTo } from './support/mailbox';
import { code, logInStaff, newStaffLogin, newOwner, setUpSecondFactor } from './support/staff';
import { expect, expectComplaint, test } from './support/test';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an Owner invites, the invited takes it, gets another role and is suspended at once', async ({
      page,
      browser,
      server,
      baseURL,
      extraHTTPHeaders,
    }) => {
      test.slow();
      const heard = complaints(page);
      const owner = newOwner(server);
      const invited = newStaffLogin();
      const name = `Demo ${invited.email.split('@', 1)[0]!.replaceAll('.', ' ')}`;
      // After login the user gets to the page they requested.
      await page.goto('/admin-panel/admins');
      await expect(page).toHaveURL('/admin-panel/login');
      await page.getByLabel('Email').fill(owner.email);
      await page.getByLabel('Password', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page).toHaveURL('/admin-panel/admins');
      await page.getByLabel('Email').fill(invited.email);
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose a role.');
      await expect(page.getByLabel('Email')).toHaveValue(invited.email);
      await page.getByLabel('Role').selectOption('viewer');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await expect(page.getByRole('status')).toContainText('The invitation is sent.');
      await expect(page.getByRole('list', { name: 'Invitations' })).toContainText(invited.email);

      const context = await browser.newContext({
        baseURL,
        javaScriptEnabled,
        extraHTTPHeaders: { ...extraHTTPHeaders, 'X-Forwarded-For': '10.99.0.1' },
      });
      const theirs = await context.newPage();
      await theirs.goto(await linkTo(page.request, invited.email));
      await expect(heading(theirs)).toHaveText('Welcome to the admissions office');
      await theirs.getByLabel('Your name').fill(name);
      await theirs.getByLabel('Password', { exact: true }).fill(invited.password);
      await theirs.getByLabel('Repeat password', { exact: true }).fill(invited.password);
      await theirs.getByRole('button', { name: 'Take the invitation' }).click();
      await expect(theirs).toHaveURL('/admin-panel/applications');
      await expect(theirs.getByRole('navigation', { name: 'Office' }).getByRole('link')).toHaveText([
        'Applications',
        'Waitlist',
        'Your account',
      ]);
      await theirs.goto('/admin-panel/account');

      await theirs.getByRole('link', { name: 'Set up an authenticator app' }).click();
      const { key, recovery } = await setUpSecondFactor(theirs);
      await theirs.getByRole('link', { name: 'I have saved them' }).click();
      await theirs.getByRole('button', { name: 'Log out' }).click();
      await logInStaff(theirs, invited);
      await expect(heading(theirs)).toHaveText('One more step');
      // The app's next code, since the current one has been used.
      await theirs.getByLabel('Code', { exact: true }).fill(code(key, 1));
      await theirs.getByRole('button', { name: 'Log in' }).click();
      await expect(heading(theirs)).toHaveText('Applications');

      await page.goto('/admin-panel/admins');
      await page.getByRole('link', { name: name }).click();
      await expect(heading(page)).toHaveText(name);
      await page.getByRole('combobox', { name: 'Role' }).selectOption('reviewer');
      await page.getByRole('button', { name: 'Change role' }).click();
      await expect(page.getByRole('status')).toContainText('The role is changed.');
      await theirs.goto('/admin-panel/account');
      await expect(theirs).toHaveURL('/admin-panel/login');
      await logInStaff(theirs, invited);
      await theirs.getByLabel('Code', { exact: true }).fill(recovery[0]!);
      await theirs.getByRole('button', { name: 'Log in' }).click();
      await expect(theirs.getByRole('main')).toContainText('You are Reviewer');
      await expect(theirs.getByRole('main')).toContainText('You have 9 recovery codes left.');

      await page.getByRole('button', { name: 'Suspend the account' }).click();
      await expect(page.getByRole('status')).toContainText('The account is suspended.');
      await theirs.goto('/admin-panel/account');
      await expect(theirs).toHaveURL('/admin-panel/login');
      await logInStaff(theirs, invited);
      await expect(theirs.getByRole('alert')).toContainText('This account is suspended.');
      await context.close();
      // The invitation without a role is answered with an error page.
      if (javaScriptEnabled) expect(heard.filter((line) => !line.includes('status of 422'))).toEqual([]);
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'a pause with JavaScript' : 'a pause without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('asks for the password again, and then does what was sent', async ({ page, ownServer, context }) => {
      const owner = newOwner(ownServer);
      await page.goto(`${ownServer.url}/admin-panel/login`);
      await page.getByLabel('Email').fill(owner.email);
      await page.getByLabel('Password', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('link', { name: 'Admins' }).click();
      await expect(heading(page)).toHaveText('Admins');
      expectComplaint(/net::ERR_/);
      await ownServer.stop();
      await ownServer.launch(20);
      const { email } = newStaffLogin();
      await page.getByLabel('Email').fill(email);
      await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await expect(heading(page)).toHaveText('Enter your password again');
      await expect(page.getByRole('main')).toContainText('What you sent is kept');
      await page.getByLabel('Password', { exact: true }).fill('not it');
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(page.getByRole('alert')).toContainText('This is not your current password.');
      await page.getByLabel('Password', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(page).toHaveURL(`${ownServer.url}/admin-panel/admins?done=invited`);
      await expect(page.getByRole('list', { name: 'Invitations' })).toContainText(email);
      // A page that asks for the password opens once it is given.
      expectComplaint(/net::ERR_/);
      await ownServer.stop();
      await ownServer.launch(30);
      await page.goto(`${ownServer.url}/admin-panel/account/second-factor`);
      await page.getByLabel('Password', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(heading(page)).toHaveText('Set up an authenticator app');
      const [cookie] = await context.cookies(`${ownServer.url}/admin-panel`);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/admin-panel' });
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'a file with JavaScript' : 'a file without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('is saved after the password, in front of the list that offered it', async ({ page, ownServer }) => {
      const owner = newOwner(ownServer);
      ownServer.command(['seed', '--demo', '--season', '10']);
      await page.goto(`${ownServer.url}/admin-panel/login`);
      await page.getByLabel('Email').fill(owner.email);
      await page.getByLabel('Password', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page).toHaveURL(`${ownServer.url}/admin-panel/work`);
      expectComplaint(/net::ERR_/);
      await ownServer.stop();
      await ownServer.launch(7);
      await page.goto(`${ownServer.url}/admin-panel/applications?tab=all&program=ba`);
      await page.getByText('Export', { exact: true }).click();
      await page.getByRole('link', { name: 'Save this view as CSV' }).click();
      await expect(heading(page)).toHaveText('Enter your password again');
      const saving = page.waitForEvent('download');
      await page.getByLabel('Password', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Resume' }).click();
      expect((await saving).suggestedFilename()).toMatch(/\.csv$/);
      await expect(heading(page)).toHaveText('Applications');
      await expect(page).toHaveURL(/program=ba/);
    });
  });
}

test('the office is used by keyboard alone', async ({ page, server }) => {
  const owner = newOwner(server);
  await page.goto('/admin-panel/login');
  await hydrated(page);
  const press = async (times: number) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press('Tab');
  };
  const tabTo = async (target: Locator) => {
    const isReached = () => target.evaluate((element) => element === document.activeElement);
    for (let time = 0; time < 40 && !(await isReached()); time += 1) await press(1);
    await expect(target).toBeFocused();
  };
  await page.getByLabel('Email').focus();
  await page.keyboard.type(owner.email);
  await press(1);
  await page.keyboard.type(owner.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin-panel/work');
  await hydrated(page);
  await press(1);
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await tabTo(page.getByRole('link', { name: 'Admins' }));
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await expect(heading(page)).toHaveText('Admins');
  // Owners of other tests may come before.
  await tabTo(page.getByRole('link', { name: owner.email, exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText('This is you.');
});

test('every page of the office: axe finds nothing', async ({ page, server }) => {
  test.slow();
  const owner = newOwner(server);
  await page.goto('/admin-panel/login');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectAccessible(page);
  await logInStaff(page, owner);
  for (const path of [
    '/admin-panel/account',
    '/admin-panel/account/keys',
    '/admin-panel/settings/webhooks',
    '/admin-panel/settings/sign-on',
    '/admin-panel/imports',
    '/admin-panel/fee-codes',
    '/admin-panel/waitlist',
    '/admin-panel/applications?tab=all&state=TX',
    '/admin-panel/admins',
    '/admin-panel/account/second-factor',
    '/admin-panel/step-up',
    '/admin-panel/nowhere',
    '/admin-panel/invitation?token=none',
  ]) {
    await page.goto(path);
    await hydrated(page);
    await expectAccessible(page);
  }
  const invited = newStaffLogin();
  await page.goto('/admin-panel/admins');
  await page.getByLabel('Email').fill(invited.email);
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expectAccessible(page);
  const link = await linkTo(page.request, invited.email);
  await page.goto(link);
  await page.getByRole('button', { name: 'Take the invitation' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectAccessible(page);
  await page.goto('/admin-panel/account/second-factor');
  await setUpSecondFactor(page);
  await expectAccessible(page);
  await page.goto('/admin-panel/account');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await logInStaff(page, owner);
  await expect(heading(page)).toHaveText('One more step');
  await expectAccessible(page);
});

test('applicants load nothing of the office, and the office no more than it may', async ({
  page,
  server,
  signedInPage,
}) => {
  const sizes = async () =>
    page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map((entry) => ({
        name: entry.name,
        bytes: entry.encodedBodySize,
      })),
    );
  await signedInPage.goto('/dashboard');
  await hydrated(signedInPage);
  const loaded = await sizes();
  expect(loaded.filter(({ name }) => /admin|office/.test(name))).toEqual([]);
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/admins');
  await hydrated(page);
  const office = await sizes();
  expect(office.some(({ name }) => /office-\w+\.css/.test(name))).toBe(true);
  const scripts = office.filter(({ name }) => name.endsWith('.js'));
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(200 * 1024);
});
