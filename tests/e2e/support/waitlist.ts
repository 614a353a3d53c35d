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
