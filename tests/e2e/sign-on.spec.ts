// Single sign-on: an Owner sets an identity provider up, and staff log in and confirm with it.

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { CLIENT, signIn, signInAndConsent } from './support/identity-provider';
import { test } from './support/identity-provider-test';
import { addProvider, field, LOG_IN, NAME, register } from './support/sign-on';
import { logInStaff, newOwner, newStaffLogin } from './support/staff';
import { expect, expectComplaint } from './support/test';

const CONFIRM = `Confirm with ${NAME}`;

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const accessible = async (page: Page) => {
      if (!javaScriptEnabled) return;
      await hydrated(page);
      await expectAccessible(page);
    };

    test('an Owner sets single sign-on up, and staff log in with it', async ({
      page,
      browser,
      provider,
      ownServer,
    }) => {
      test.slow();
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/settings');
      await page.getByRole('link', { name: 'Single sign-on' }).click();
      await expect(heading(page)).toHaveText('Single sign-on');
      await expect(page).toHaveURL('/admin-panel/settings/sign-on');
      await expect(page.getByRole('main')).toContainText('There is no identity provider yet.');
      await addProvider(page, 'login.example.org', 'Reviewer', 'readers');
      await expect(page.getByRole('alert')).toContainText(/Enter the provider.s issuer/);
      await expect(field(page, 'Issuer')).toHaveAccessibleDescription(/Enter the provider.s issuer/);
      await expect(field(page, 'Issuer')).toHaveValue('login.example.org');
      await expect(field(page, 'Name')).toHaveValue(NAME);
      await expect(field(page, 'Reviewer')).toHaveValue('readers');
      await expect(page.getByLabel('Client secret')).toHaveValue('');
      await accessible(page);
      await addProvider(page, provider.issuer, 'Reviewer', 'readers');
      await expect(page.getByRole('status')).toContainText('The identity provider is added.');
      await expect(heading(page)).toHaveText(NAME);
      expect(await page.content()).not.toContain(CLIENT.secret);
      await register(page, provider, ownServer);
      await page.getByRole('button', { name: 'Check connection' }).click();
      await expect(page.getByRole('status')).toContainText('The provider answers.');
      await accessible(page);

      // Somebody who has no account yet.
      const email = `reader.${process.pid}@example.org`;
      await provider.setAccount('demo', {
        email,
        email_verified: true,
        name: 'Demo Reader',
        groups: ['readers'],
      });
      const context = await browser.newContext({ baseURL: ownServer.url, javaScriptEnabled });
      const theirs = await context.newPage();
      await theirs.goto('/admin-panel/applications?tab=all');
      await expect(theirs).toHaveURL('/admin-panel/login');
      await accessible(theirs);
      await theirs.getByRole('link', { name: LOG_IN }).click();
      await signInAndConsent(theirs, 'demo');
      await expect(theirs).toHaveURL('/admin-panel/applications?tab=all');
      await expect(heading(theirs)).toHaveText('Applications');
      await theirs.goto('/admin-panel/account');
      const account = theirs.getByRole('main');
      await expect(account).toContainText(`You log in with ${NAME}. Your email is ${email}.`);
      await expect(account).toContainText('You are Reviewer.');
      await expect(theirs.getByRole('heading', { name: 'Second factor' })).toBeVisible();
      await expect(theirs.getByRole('heading', { name: 'Password' })).toHaveCount(0);
      await accessible(theirs);

      // Logging out there logs them out here; the next time, they need no invitation either.
      await provider.logOut(theirs);
      await theirs.goto('/admin-panel/account');
      await expect(theirs).toHaveURL('/admin-panel/login');
      await theirs.getByRole('link', { name: LOG_IN }).click();
      await signInAndConsent(theirs, 'demo');
      await expect(theirs).toHaveURL('/admin-panel/account');
      await context.close();

      await page.goto('/admin-panel/settings/sign-on');
      const providers = page.getByRole('list', { name: 'Identity providers' });
      await expect(providers).toContainText('1 member of staff logs in with it');
      await accessible(page);
      await providers.getByRole('link', { name: NAME }).click();
      await page.getByText('Delete this provider').click();
      await page.getByRole('button', { name: 'Delete provider' }).click();
      await expect(page.getByRole('status')).toContainText('The identity provider is deleted.');
    });

    test('staff without a password confirm with the provider', async ({
      page,
      browser,
      provider,
      ownServer,
    }) => {
      test.slow();
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/settings/sign-on');
      await addProvider(page, provider.issuer, 'Owner', 'admins');
      await register(page, provider, ownServer);
      await page.close();
      await provider.setAccount('demo', {
        email: `head.${process.pid}@example.org`,
        email_verified: true,
        groups: ['admins'],
      });
      // The provider, which says when somebody has logged in, has the real time: the product begins behind it.
      const restart = async (minutesAhead: number) => {
        expectComplaint(/net::ERR_/);
        await ownServer.stop();
        await ownServer.launch(minutesAhead);
      };
      await restart(-14);
      const context = await browser.newContext({ baseURL: ownServer.url, javaScriptEnabled });
      const theirs = await context.newPage();
      await theirs.goto('/admin-panel/admins');
      await theirs.getByRole('link', { name: LOG_IN }).click();
      await signInAndConsent(theirs, 'demo');
      await expect(theirs).toHaveURL('/admin-panel/admins');

      // A page opens once it is confirmed.
      await restart(-7);
      await theirs.goto('/admin-panel/account/second-factor');
      await expect(heading(theirs)).toHaveText('Confirm that it is you');
      await expect(theirs.getByLabel('Password')).toHaveCount(0);
      await accessible(theirs);
      await theirs.getByRole('link', { name: CONFIRM }).click();
      await signIn(theirs, 'demo');
      await expect(heading(theirs)).toHaveText('Set up an authenticator app');

      // A form is kept, and confirmed in another tab.
      await restart(0);
      const { email } = newStaffLogin();
      await theirs.goto('/admin-panel/admins');
      await theirs.getByLabel('Email').fill(email);
      await theirs.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
      await theirs.getByRole('button', { name: 'Send the invitation' }).click();
      await expect(heading(theirs)).toHaveText('Confirm that it is you');
      await expect(theirs.getByRole('main')).toContainText('What you sent is kept');
      await accessible(theirs);
      await theirs.getByRole('button', { name: 'Resume' }).click();
      await expect(theirs.getByRole('alert')).toContainText(`${CONFIRM} first`);
      const opening = context.waitForEvent('page');
      await theirs.getByRole('link', { name: `${CONFIRM} (opens in a new tab)` }).click();
      const tab = await opening;
      await signIn(tab, 'demo');
      await expect(heading(tab)).toHaveText('You have confirmed');
      await accessible(tab);
      await tab.close();
      await theirs.getByRole('button', { name: 'Resume' }).click();
      await expect(theirs).toHaveURL('/admin-panel/admins?done=invited');
      await expect(theirs.getByRole('list', { name: 'Invitations' })).toContainText(email);
      await context.close();
    });
  });
}
