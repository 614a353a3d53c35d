// The side panel of the list of applications: reading without leaving the list, following the keyboard, and closing.

import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaints, expectSameDocument, hydrated, markDocument } from './support/browser';
import { bearer, newPerson, sendIdentity, submittedByApi } from './support/people';
import { logInStaff, newOwner, newStaff } from './support/staff';
import { expect, expectComplaint, test } from './support/test';

/** A single white pixel. */
const POINT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

async function sendPicture(request: APIRequestContext, token: string): Promise<void> {
  const sent = await request.post('/api/users/documents', {
    headers: bearer(token),
    multipart: {
      slot: 'identity',
      file: { name: 'passport.png', mimeType: 'image/png', buffer: Buffer.from(POINT, 'base64') },
    },
  });
  expect(sent.status(), await sent.text()).toBe(201);
}

/** Creates two applications with the same last name, the first with a picture, and opens the list sorted by name. */
async function listOfTwo(page: Page, request: APIRequestContext, lastName: string): Promise<void> {
  const first = await submittedByApi(request, { ...newPerson(), firstName: 'Ada', lastName });
  await sendPicture(request, first.token);
  const second = await submittedByApi(request, { ...newPerson(), firstName: 'Bert', lastName });
  await sendIdentity(request, second.token);
  await openList(page, lastName);
}

async function openList(page: Page, lastName: string): Promise<void> {
  await page.goto(`/admin-panel/applications?tab=all&q=${lastName.toLowerCase()}&sort=name`);
  await hydrated(page);
}

const panelOf = (page: Page, name: string) => page.getByRole('region', { name: `Preview of ${name}` });

test('an application is read beside the list, by keyboard', async ({ page, server, playwright, baseURL }) => {
  test.slow();
  const heard = complaints(page);
  const request = await playwright.request.newContext({ baseURL });
  await page.setViewportSize({ width: 1280, height: 900 });
  await logInStaff(page, newOwner(server));
  await expect(page).toHaveURL('/admin-panel/work');
  await listOfTwo(page, request, 'Panelled');
  const names = await page.getByRole('rowheader').allInnerTexts();
  expect(names).toHaveLength(2);
  const [first, second] = names as [string, string];
  await markDocument(page);
  const address = page.url();

  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const panel = panelOf(page, first);
  await expect(panel).toContainText('Submitted');
  await expect(panel).toContainText('To be looked at');
  await expect(panel).toContainText('How do you want to study?');
  const rowOfFirst = page.getByRole('table').getByRole('link', { name: first });
  await expect(rowOfFirst).toBeFocused();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(panel).toBeVisible();

  // The panel follows the focus in both directions, also with arrow keys and from a row's checkbox.
  await page.keyboard.press('j');
  await expect(panelOf(page, second)).toContainText('Submitted');
  await page.keyboard.press('ArrowUp');
  await expect(panel).toContainText('Submitted');
  await page.keyboard.press('ArrowDown');
  await expect(panelOf(page, second)).toContainText('Submitted');
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: `Choose ${second}` })).toBeChecked();
  await page.keyboard.press('k');
  await expect(page.getByRole('table').getByRole('row').nth(1)).toHaveAttribute('aria-current', 'true');
  // The application with a picture shows it.
  const ada = panelOf(
    page,
    names.find((name) => name.startsWith('Ada'))!,
  );
  if (!first.startsWith('Ada')) await page.keyboard.press('j');
  const picture = ada.locator('img');
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => true))).toBe(true);

  // Escape closes the panel, Space reopens it, and the focus stays.
  const current = page.getByRole('table').getByRole('link', { name: /^Ada / });
  await page.keyboard.press('Escape');
  await expect(ada).toHaveCount(0);
  await expect(current).toBeFocused();
  await page.keyboard.press('Space');
  await expect(ada).toBeVisible();
  await page.keyboard.press('Space');
  await expect(ada).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(ada).toContainText('Submitted');
  // Another press moves the focus into it; ArrowLeft closes it.
  await page.keyboard.press('ArrowRight');
  await expect(ada.getByRole('link', { name: /^Ada / })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(ada).toHaveCount(0);
  await expect(current).toBeFocused();
  expect(page.url()).toBe(address);

  // For the pointer there is a button.
  await page.getByRole('button', { name: /^Preview of Ada/ }).click();
  await expect(ada).toContainText('Submitted');
  await ada.getByRole('button', { name: 'Close the preview' }).click();
  await expect(ada).toHaveCount(0);

  // An act starts from the panel, on its own page; after going back the panel is as before.
  await page.keyboard.press('Space');
  const act = ada.locator('[data-first-act]');
  const href = (await act.getAttribute('href'))!;
  await page.keyboard.press('e');
  await expect(page).toHaveURL(href);
  await page.goBack();
  await expect(ada).toContainText('Submitted');
  await ada.getByRole('link', { name: 'Proof of identity' }).click();
  await expect(page).toHaveURL(/\/documents.*slot=identity#reader$/);
  await page.goBack();
  await expect(ada).toContainText('Submitted');
  await expectSameDocument(page);
  // A note written in the meantime is shown. Submitting a form loads a document, in which the panel is closed.
  await ada
    .getByRole('navigation', { name: 'Parts of the application' })
    .getByRole('link', { name: 'Notes' })
    .click();
  await page.getByLabel('New note').fill('Ask Ada about the engine.');
  await page.getByRole('button', { name: 'Write the note' }).click();
  await expect(page.getByText('The note is written.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByRole('button', { name: /^Preview of Ada/ }).click();
  await expect(ada).toContainText('Ask Ada about the engine.');
  await page.getByRole('button', { name: /^Preview of Bert/ }).focus();
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Bert /);
  await request.dispose();
  expect(heard).toEqual([]);
});

test('on a phone it is a sheet over the list', async ({ page, server, playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  await page.setViewportSize({ width: 360, height: 740 });
  await logInStaff(page, newOwner(server));
  await expect(page).toHaveURL('/admin-panel/work');
  await listOfTwo(page, request, 'Sheeted');
  await request.dispose();
  const names = await page.getByRole('rowheader').allInnerTexts();
  const [first, second] = names as [string, string];
  await page.getByRole('button', { name: `Preview of ${first}` }).click();
  const sheet = page.getByRole('dialog', { name: `Preview of ${first}` });
  await expect(sheet).toContainText('Submitted');
  const box = (await sheet.boundingBox())!;
  expect([box.x, box.width]).toEqual([0, 360]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.keyboard.press('j');
  await expect(page.getByRole('dialog', { name: `Preview of ${second}` })).toContainText('Submitted');
  await page.getByRole('button', { name: 'Close the preview' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('link', { name: second, exact: true })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog', { name: `Preview of ${second}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('link', { name: second, exact: true })).toBeFocused();
});

test('what cannot be loaded is tried again', async ({ page, server, playwright, baseURL }) => {
  expectComplaint(/net::ERR_FAILED/);
  const request = await playwright.request.newContext({ baseURL });
  await page.setViewportSize({ width: 1280, height: 900 });
  await logInStaff(page, newOwner(server));
  await expect(page).toHaveURL('/admin-panel/work');
  await listOfTwo(page, request, 'Retried');
  await request.dispose();
  const pages = /\/admin-panel\/applications\/[\w-]+\?/;
  await page.route(pages, (route) => route.abort('failed'));
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const panel = page.getByRole('region', { name: /^Preview of/ });
  await expect(panel.getByRole('alert')).toContainText('Check your connection');
  await page.unroute(pages);
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect(panel).toContainText('Submitted');
  await expect(panel.getByRole('alert')).toHaveCount(0);
});

test('a Viewer reads no personal data there', async ({ page, server, playwright, baseURL }) => {
  const heard = complaints(page);
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Unseen' };
  const { reference } = await submittedByApi(request, person);
  await request.dispose();
  await page.setViewportSize({ width: 1280, height: 900 });
  await logInStaff(page, newStaff(server, 'viewer'));
  await expect(page).toHaveURL('/admin-panel/applications');
  await page.goto(`/admin-panel/applications?tab=all&q=${reference}`);
  await hydrated(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const panel = panelOf(page, reference);
  await expect(panel).toContainText('Your role does not include personal data.');
  await expect(panel).not.toContainText(person.email);
  await expect(panel).not.toContainText(person.lastName);
  await expect(panel.locator('[data-first-act]')).toHaveCount(0);
  // Data that the role lacks is not even requested.
  expect(heard).toEqual([]);
});
