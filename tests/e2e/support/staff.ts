// Members of staff, and the codes of their authenticator apps.

import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Server } from './server';

export interface StaffLogin {
  email: string;
  password: string;
}

let logins = 0;

export type Role = 'viewer' | 'interviewer' | 'reviewer' | 'decider' | 'finance' | 'owner';

/** Creates a member of staff, as an operator creates the first one. */
export function newStaff(server: Server, role: Role): StaffLogin {
  logins += 1;
  const staff = {
    email: `${role}.${process.pid}.${logins}@example.org`,
    password: 'six words that nobody would guess',
  };
  server.command(['admin', 'create', '--email', staff.email, '--role', role], staff.password);
  return staff;
}

export const newOwner = (server: Server): StaffLogin => newStaff(server, 'owner');

export function newStaffLogin(): StaffLogin {
  logins += 1;
  return { email: `staff.${process.pid}.${logins}@example.org`, password: 'some other words in a row' };
}

/** Fills in the staff login and submits it. */
export async function logInStaff(page: Page, { email, password }: StaffLogin): Promise<void> {
  await page.goto('/admin-panel/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Returns the code of an app with this key, that many half minutes from now (RFC 6238). */
export function code(key: string, ahead = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key.replace(/\s/g, '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Sets up the second factor on the open page, which asks applicants for their password. Returns the app's key and the
 * recovery codes.
 */
export async function setUpSecondFactor(
  page: Page,
  password?: string,
): Promise<{ key: string; recovery: string[] }> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up an authenticator app');
  const key = await page.locator('.secret-text').innerText();
  await page.getByLabel('Code', { exact: true }).fill(code(key));
  if (password !== undefined) await page.getByLabel('Your password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your recovery codes');
  const recovery = await page.locator('.factor-codes code').allInnerTexts();
  expect(recovery).toHaveLength(10);
  return { key, recovery };
}

/** A tab of the open application. */
export const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the application' }).getByRole('link', { name });

/** Gives all intakes as many places as are needed: in a demo season, those for which somebody waits are full. */
export async function liftPlaces(owner: Page): Promise<void> {
  for (const program of ['bachelor', 'masters']) {
    await owner.goto(`/admin-panel/settings/places-${program}`);
    for (const field of await owner.getByLabel('Places', { exact: true }).all()) await field.fill('');
    await owner.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(owner.getByRole('status')).toContainText('It holds from now on.');
  }
}
