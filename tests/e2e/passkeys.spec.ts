// Passkeys of a virtual device: created, used to log in and to confirm, and lost.

import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { mailsTo } from './support/mailbox';
import { loginDialog, newPerson, registerByApi, submitLogin } from './support/people';
import { Server } from './support/server';
import { logInStaff, newOwner } from './support/staff';
import { expect, test as base } from './support/test';

/** Browsers do not support passkeys on IP addresses. */
const test = base.extend<object, { server: Server }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const server = await Server.start({}, 'localhost');
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],
});

interface Device {
  /** Whether the fingerprint matches. */
  recognises: (isRight: boolean) => Promise<void>;
}

/** A phone or laptop with passkeys and a fingerprint sensor. */
async function device(context: BrowserContext, page: Page): Promise<Device> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    recognises: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('an applicant adds a passkey, and logs in with it and nothing else', async ({ page, context }) => {
  test.slow();
  const person = newPerson();
  await registerByApi(context.request, person, 'ba');
  const { recognises } = await device(context, page);
  await page.goto('/dashboard/account');
  await hydrated(page);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await expect(heading(page)).toHaveText('Passkeys');
  await expect(page.getByText('You have no passkey yet.')).toBeVisible();
  await expectAccessible(page);
  const add = page.getByRole('button', { name: 'Add a passkey' });
  await page.getByLabel('Your password', { exact: true }).fill('not the password');
  await add.click();
  await expect(page.getByRole('alert')).toContainText('This is not your');
  await hydrated(page);
  await page.getByLabel('Your password', { exact: true }).fill(person.password);
  await recognises(false);
  await add.click();
  await expect(page.getByRole('status').getByText('It was canceled, or took too long.')).toBeVisible();
  await recognises(true);
  await add.click();
  await expect(heading(page)).toHaveText('Your recovery codes');
  const recovery = await page.locator('.factor-codes code').allInnerTexts();
  expect(recovery).toHaveLength(10);
  await page.getByRole('link', { name: 'I have saved them' }).click();
  await expect(page.getByText('It is on: your password alone is not enough to log in.')).toBeVisible();
  expect((await mailsTo(page.request, person.email)).map(({ subject }) => subject)).toContain(
    'A passkey was added',
  );

  await context.clearCookies();
  await page.goto('/bachelor/apply?dialog=login&redirect=/dashboard/account');
  await hydrated(page);
  await loginDialog(page).getByRole('link', { name: 'Log in with a passkey' }).click();
  await expect(heading(page)).toHaveText('Log in with a passkey');
  await hydrated(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/dashboard/account');

  // The password is now only the first of two steps: in the dialog a recovery code, otherwise a code or the passkey.
  await context.clearCookies();
  await page.goto('/bachelor/apply?dialog=login&redirect=/dashboard/account');
  await hydrated(page);
  await submitLogin(page, person);
  await expect(loginDialog(page).getByLabel('Code')).toBeFocused();
  await loginDialog(page).getByLabel('Code').fill(recovery[0]!);
  await loginDialog(page).getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL('/dashboard/account');

  await page.getByRole('link', { name: 'Passkeys (1)' }).click();
  await expect(heading(page)).toHaveText('Passkeys');
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible();
  await expect(page.getByText(/Last used/)).toBeVisible();
  await expectAccessible(page);
  await hydrated(page);
  await page.getByRole('link', { name: 'Remove' }).click();
  await expect(heading(page)).toHaveText('Remove this passkey?');
  await expectAccessible(page);
  await hydrated(page);
  await page.getByLabel('Your password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Remove it using a passkey' }).click();
  await expect(page.getByText('The passkey is removed.')).toBeVisible();
  await expect(page.getByText('You have no passkey yet.')).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('pages say what passkeys need, and another way is there', async ({ page, context }) => {
    const person = newPerson();
    await registerByApi(context.request, person, 'ba');
    await page.goto('/dashboard/account/passkeys');
    // Playwright finds no text in there.
    const told = page.locator('noscript p');
    await expect(told).toBeVisible();
    await expect(told).toHaveText('To add a passkey, switch on JavaScript in your browser.');
    await expect(page.getByLabel('Your password')).toHaveCount(0);
    await context.clearCookies();
    await page.goto('/bachelor/apply?dialog=login');
    await page.getByRole('link', { name: 'Log in with a passkey' }).click();
    await expect(told).toHaveText('Passkeys need JavaScript. Without it, log in with your password.');
    await page.getByRole('link', { name: 'Log in with your password' }).click();
    await expect(loginDialog(page).getByLabel('Email')).toBeVisible();
  });
});

test('staff log in with a passkey, and confirm with it what is asked again', async ({
  page,
  context,
  server,
}) => {
  test.slow();
  const owner = newOwner(server);
  await device(context, page);
  await logInStaff(page, owner);
  await page.goto('/admin-panel/account');
  await hydrated(page);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await expect(heading(page)).toHaveText('Passkeys');
  await expectAccessible(page);
  await hydrated(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(heading(page)).toHaveText('Your recovery codes');

  await context.clearCookies();
  await page.goto('/admin-panel/login');
  await hydrated(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page).toHaveURL('/admin-panel/work');

  await context.clearCookies();
  await logInStaff(page, owner);
  await expect(heading(page)).toHaveText('One more step');
  await hydrated(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL('/admin-panel/work');

  await page.goto('/admin-panel/step-up?next=%2Fadmin-panel%2Faccount%2Fpasskeys');
  await hydrated(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await expect(heading(page)).toHaveText('Passkeys');
  await hydrated(page);
  await page.getByRole('button', { name: 'Remove the passkey of' }).click();
  await expect(page.getByText('The passkey is removed.')).toBeVisible();
});
