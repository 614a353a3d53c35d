// Places of the bachelor's program, and its waitlist.

import { expect, type Page } from '@playwright/test';
import { openApplication } from './desk';
import { tab } from './staff';

const PLACES = '/admin-panel/settings/places-bachelor';
export const WAITLIST = '/admin-panel/waitlist';
export const DRAFTED = ['accept', '--waive-interview', 'Known to us', '--without-documents', 'Seen on paper'];

export const places = (page: Page) => page.getByLabel('Places', { exact: true });

/** Gives every intake of the bachelor's program one place; the next one depends on the day of the test. */
export async function setPlaces(owner: Page): Promise<void> {
  await owner.goto(PLACES);
  for (const field of await places(owner).all()) await field.fill('1');
}

export async function save(owner: Page): Promise<void> {
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(owner.getByRole('status')).toContainText('It holds from now on.');
}

/** Opens the Decision tab of an application. */
export async function openDecision(owner: Page, reference: string): Promise<void> {
  await openApplication(owner, reference);
  await tab(owner, 'Decision').click();
  await expect(owner).toHaveURL(/\/decision/);
}

/** Puts the application whose Decision tab is open on the waitlist. */
export async function putOnWaitlist(owner: Page): Promise<void> {
  await owner.getByRole('button', { name: 'Put on the waitlist' }).click();
  await expect(owner.getByRole('status').first()).toContainText('The application is on the waitlist.');
}

/** Offers the place to Demo Waiting, once there is a task about it. */
export async function offerFreePlace(
  owner: Page,
  reference: string,
  accessible: (shown: Page) => Promise<void>,
): Promise<void> {
  const task = owner
    .getByRole('row')
    .filter({ hasText: reference })
    .filter({ hasText: 'Offer the free place' });
  await expect(async () => {
    await owner.goto('/admin-panel/work?whose=team');
    await expect(task).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await owner.goto(WAITLIST);
  await accessible(owner);
  await owner.getByRole('button', { name: 'Offer the place to Demo Waiting' }).click();
  await expect(owner.getByRole('status').first()).toContainText('The place is offered.');
}
