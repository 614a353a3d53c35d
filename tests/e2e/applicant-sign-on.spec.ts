// Applicants log in with an identity provider that an Owner has added for them.

import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { CLIENT, IdentityProvider, signInAndConsent } from './support/identity-provider';
import { test } from './support/identity-provider-test';
import { linkTo, mailsTo } from './support/mailbox';
import {
  fillRegistration,
  loginDialog,
  newPerson,
  registerByApi,
  registerDialog,
  submitLogin,
} from './support/people';
import { Server } from './support/server';
import { logInStaff, newOwner } from './support/staff';
import { expect } from './support/test';

const NAME = 'Demo accounts';
const LOG_IN = `Log in with ${NAME}`;

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Logs out here, and not at the provider. */
const forgetSession = (context: BrowserContext) => context.clearCookies({ domain: 'localhost' });

/** Adds the provider for applicants, as an Owner, and enters at the provider what the page then says. */
async function addProvider(page: Page, provider: IdentityProvider, server: Server): Promise<void> {
  await field(page, 'Name').fill(NAME);
  await page.getByRole('radio', { name: 'Applicants' }).check();
  await field(page, 'Issuer').fill(provider.issuer);
  await field(page, 'Client ID').fill(CLIENT.id);
  await page.getByLabel('Client secret').fill(CLIENT.secret);
  await page.getByRole('button', { name: 'Add provider' }).click();
  await expect(page.getByRole('status')).toContainText('The identity provider is added.');
  await expect(heading(page)).toHaveText(NAME);
  const redirect = `${server.url}/login/sign-on/callback`;
  await expect(page.getByText(redirect, { exact: true })).toBeVisible();
  await provider.setClient({ redirect_uris: [redirect] });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const ready = async (page: Page) => {
      if (javaScriptEnabled) await hydrated(page);
    };
    const accessible = async (page: Page) => {
      await ready(page);
      if (javaScriptEnabled) await expectAccessible(page);
    };

    test('an applicant logs in with the provider that an Owner has added, and unlinks it', async ({
      page,
      browser,
      provider,
      ownServer,
    }) => {
      test.slow();
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/settings/sign-on');
      await ready(page);
      await expect(page.getByRole('main')).toContainText(`${ownServer.url}/login/sign-on/callback`);
      await addProvider(page, provider, ownServer);
      await expect(page.getByText('For applicants', { exact: true })).toBeVisible();
      await expect(page.getByText(/\/logout$/)).toHaveCount(0);
      await expect(page.getByRole('heading', { name: 'Provisioning' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Check connection' }).click();
      await expect(page.getByRole('status')).toContainText('The provider answers.');
      await accessible(page);

      const person = newPerson();
      await provider.setAccount('demo', { email: person.email, email_verified: true });
      const context = await browser.newContext({ baseURL: ownServer.url, javaScriptEnabled });
      await registerByApi(context.request, person, 'ba');
      await forgetSession(context);
      const theirs = await context.newPage();
      await theirs.goto('/admin-panel/login');
      await expect(theirs.getByLabel('Email')).toBeVisible();
      await expect(theirs.getByRole('link', { name: LOG_IN }), 'staff do not use it').toHaveCount(0);
      await theirs.goto('/dashboard/messages');
      await expect(theirs).toHaveURL('/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fmessages');
      await accessible(theirs);
      await loginDialog(theirs).getByRole('link', { name: LOG_IN }).click();
      await signInAndConsent(theirs, 'demo');
      await expect(theirs).toHaveURL('/dashboard/messages');
      await expect(heading(theirs)).toHaveText('Messages');
      const subjects = async () => (await mailsTo(theirs.request, person.email)).map((mail) => mail.subject);
      expect((await subjects())[0]).toContain(NAME);

      await theirs.goto('/dashboard/account');
      const linked = theirs.getByRole('region', { name: 'Linked accounts' });
      await expect(linked).toContainText(LOG_IN);
      await accessible(theirs);
      await linked.getByRole('button', { name: `Unlink ${NAME}` }).click();
      await expect(
        theirs.getByText(`${NAME} was unlinked from your account. Logging in with it links it again.`),
      ).toBeVisible();
      await expect(linked).toHaveCount(0);
      await accessible(theirs);
      expect((await subjects())[0]).toContain(`${NAME} was unlinked`);

      // The password still works, and so does the provider, which links the account anew.
      await forgetSession(context);
      await theirs.goto('/bachelor/apply?dialog=login&redirect=/dashboard/account');
      await ready(theirs);
      await submitLogin(theirs, person);
      await expect(theirs).toHaveURL('/dashboard/account');
      await forgetSession(context);
      await theirs.goto('/bachelor/apply?dialog=login&redirect=/dashboard/account');
      await ready(theirs);
      await loginDialog(theirs).getByRole('link', { name: LOG_IN }).click();
      await expect(theirs).toHaveURL('/dashboard/account');
      await expect(linked).toContainText(LOG_IN);

      await page.goto('/admin-panel/settings/sign-on');
      const providers = page.getByRole('list', { name: 'Identity providers' });
      await expect(providers).toContainText('1 applicant logs in with it');
      await accessible(page);
      await providers.getByRole('link', { name: NAME }).click();
      await page.getByText('Delete this provider').click();
      await page.getByRole('button', { name: 'Delete provider' }).click();
      await expect(page.getByRole('status')).toContainText('The identity provider is deleted.');
      await theirs.reload();
      await expect(heading(theirs)).toHaveText('Your account');
      await expect(linked).toHaveCount(0);
      await forgetSession(context);
      await theirs.goto('/bachelor/apply?dialog=login');
      await expect(loginDialog(theirs).getByLabel('Password', { exact: true })).toBeVisible();
      await expect(theirs.getByRole('link', { name: LOG_IN })).toHaveCount(0);
      await context.close();
    });

    test('somebody without an account registers with what the provider says', async ({
      page,
      browser,
      provider,
      ownServer,
    }) => {
      test.slow();
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/settings/sign-on');
      await ready(page);
      await addProvider(page, provider, ownServer);
      await page.close();

      const person = newPerson();
      await provider.setAccount('new', {
        email: person.email,
        email_verified: true,
        given_name: person.firstName,
        family_name: person.lastName,
      });
      const context = await browser.newContext({ baseURL: ownServer.url, javaScriptEnabled });
      const theirs = await context.newPage();
      await theirs.goto('/masters/apply?dialog=login');
      await ready(theirs);
      await loginDialog(theirs).getByRole('link', { name: LOG_IN }).click();
      await signInAndConsent(theirs, 'new');
      const dialog = registerDialog(theirs);
      await expect(dialog).toContainText('no account with');
      await expect(dialog).toContainText(NAME);
      await expect(dialog.getByRole('alert')).toHaveCount(0);
      await expect(dialog.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(person.email);
      await expect(dialog.getByLabel('First name')).toHaveValue(person.firstName);
      await expect(dialog.getByLabel('Last name')).toHaveValue(person.lastName);
      await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('');
      await accessible(theirs);
      await fillRegistration(dialog, person);
      await dialog.getByRole('button', { name: 'Create account' }).click();
      await expect(theirs).toHaveURL('/masters/application');

      // Until the address is confirmed, somebody else may have registered it.
      await forgetSession(context);
      await theirs.goto('/masters/apply?dialog=login');
      await ready(theirs);
      await loginDialog(theirs).getByRole('link', { name: LOG_IN }).click();
      await expect(loginDialog(theirs).getByRole('alert')).toContainText('not confirmed');
      await accessible(theirs);
      await theirs.goto(await linkTo(theirs.request, person.email));
      await theirs.getByRole('button', { name: 'Confirm' }).click();
      await expect(heading(theirs)).toHaveText('Your email is confirmed');
      await theirs.goto('/masters/apply?dialog=login');
      await ready(theirs);
      await loginDialog(theirs).getByRole('link', { name: LOG_IN }).click();
      await expect(theirs).toHaveURL('/masters/application');
      await context.close();
    });
  });
}
