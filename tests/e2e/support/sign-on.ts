// Single sign-on of staff.

import { expect, type Page } from '@playwright/test';
import { CLIENT, type IdentityProvider } from './identity-provider';
import type { Server } from './server';

export const NAME = 'Demo directory';
export const LOG_IN = `Log in with ${NAME}`;

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Fills in the form for a new provider, whose members of a group get a role, and submits it. */
export async function addProvider(page: Page, issuer: string, role: string, group: string): Promise<void> {
  await field(page, 'Name').fill(NAME);
  await field(page, 'Issuer').fill(issuer);
  await field(page, 'Client ID').fill(CLIENT.id);
  await page.getByLabel('Client secret').fill(CLIENT.secret);
  await field(page, role).fill(group);
  await page.getByRole('button', { name: 'Add provider' }).click();
}

/** Enters the addresses that the open page shows at the provider. */
export async function register(page: Page, provider: IdentityProvider, server: Server): Promise<void> {
  const redirect = `${server.url}/admin-panel/sign-on/callback`;
  await expect(page.getByText(redirect, { exact: true })).toBeVisible();
  const logout = await page.getByText(/^http\S+\/logout$/).innerText();
  expect(logout).toMatch(/^http:\/\/localhost:\d+\/api\/sign-on\//);
  await provider.setClient({ redirect_uris: [redirect], backchannel_logout_uri: logout });
}
