// The page of one application: reading, deciding and writing, by one member of staff and by two at once.

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { bearer, newPerson, sendIdentity, submittedByApi, type Person } from './support/people';
import { logInStaff, newOwner, tab } from './support/staff';
import { expect, test } from './support/test';

const REASON = 'The corners of the picture are missing.';

/** Opens an applicant's application from the list. */
async function openFromList(page: Page, { lastName }: Person): Promise<void> {
  await page.goto(`/admin-panel/applications?tab=all&q=${lastName}`);
  await page.getByRole('link', { name: `Demo ${lastName}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Demo ${lastName}`);
}

/** Checks the hydrated page for accessibility; without JavaScript axe does not run. */
async function looked(page: Page, javaScriptEnabled: boolean): Promise<void> {
  if (!javaScriptEnabled) return;
  await hydrated(page);
  await expectAccessible(page);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an application is read, given to somebody, decided about and written about', async ({
      page,
      server,
      playwright,
      baseURL,
    }) => {
      test.slow();
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: javaScriptEnabled ? 'Dossier' : 'Plaindossier' };
      const { token, reference } = await submittedByApi(request, person);
      await sendIdentity(request, token);
      const owner = newOwner(server);
      await logInStaff(page, owner);
      await expect(page).toHaveURL('/admin-panel/work');
      await openFromList(page, person);
      await expect(page.getByText(reference)).toBeVisible();
      await expect(page.getByRole('main')).toContainText(person.email);
      await expect(page.getByRole('main')).toContainText('Ways to pay');
      await looked(page, javaScriptEnabled);

      // Header: owner and tags.
      await page.getByText('Change owner and tags').click();
      await page.getByLabel('Who looks after it').selectOption({ label: owner.email });
      await page.getByRole('button', { name: 'Assign' }).click();
      await expect(page.getByRole('status').filter({ hasText: 'The owner is changed.' })).toBeVisible();
      await page.getByText('Change owner and tags').click();
      await page.getByLabel('New tag').fill('a:b');
      await page.getByRole('button', { name: 'Add' }).click();
      await expect(page.getByRole('alert')).toContainText('Write a tag');
      await expect(page.getByLabel('New tag')).toHaveValue('a:b');
      await page.getByLabel('New tag').fill('Second look');
      await page.getByRole('button', { name: 'Add' }).click();
      await expect(page.getByRole('definition').filter({ hasText: 'second look' })).toBeVisible();

      // Documents: a preview, and a request for another file with a reason.
      await tab(page, 'Documents').click();
      const slot = page.getByRole('region', { name: 'Proof of identity' });
      await expect(slot).toContainText('To be looked at');
      await expect(slot.locator('iframe')).toHaveAttribute('src', /preview\?file=/);
      await slot.getByRole('button', { name: 'Ask for another one' }).click();
      await expect(page.getByRole('alert')).toContainText('Give a reason');
      await looked(page, javaScriptEnabled);
      await slot.getByLabel('Reason').fill(REASON);
      await slot.getByRole('button', { name: 'Ask for another one' }).click();
      await expect(page.getByText('The applicant is asked for another one.')).toBeVisible();
      await expect(slot).toContainText(REASON);

      // Notes.
      await tab(page, 'Notes').click();
      await page.getByLabel('New note').fill('Seems <b>good</b>.');
      await page.getByRole('button', { name: 'Write the note' }).click();
      const note = page.getByRole('article').filter({ hasText: 'Seems <b>good</b>.' });
      await expect(note).toBeVisible();
      await note.getByRole('button', { name: 'Pin' }).click();
      await expect(note).toContainText('Pinned');
      await note.getByRole('link', { name: 'Change' }).click();
      await page.getByLabel('Change the note').fill('Seems very good.');
      await page.getByRole('button', { name: 'Keep the change' }).click();
      await expect(page.getByRole('article').filter({ hasText: 'Seems very good.' })).toBeVisible();
      await looked(page, javaScriptEnabled);

      // Messages, and the mail that announces one.
      await tab(page, 'Messages').click();
      await page.getByRole('button', { name: 'Send the message' }).click();
      await expect(page.getByRole('alert')).toContainText('Write something first.');
      await page.getByLabel('Message', { exact: true }).fill('Please call us.');
      await page.getByRole('button', { name: 'Send the message' }).click();
      await expect(page.getByText('The message is sent.')).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'Please call us.' })).toContainText(
        'Not read yet',
      );
      await looked(page, javaScriptEnabled);
      await tab(page, 'Emails').click();
      await expect(
        page.getByRole('listitem').filter({ hasText: 'There is a message for you' }),
      ).toBeVisible();
      await looked(page, javaScriptEnabled);

      // An act with its required fields.
      await page.getByText('More', { exact: true }).click();
      await page.getByRole('link', { name: 'Ask for changes' }).click();
      await expect(page.getByRole('heading', { name: 'Ask for changes' })).toBeVisible();
      await page.getByLabel('What is to be changed').fill('Please add your employer.');
      await page.getByRole('button', { name: 'Ask for these changes' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose at least one section.');
      await expect(page.getByLabel('What is to be changed')).toHaveValue('Please add your employer.');
      await looked(page, javaScriptEnabled);
      await page.getByLabel('Employment').check();
      await page.getByLabel('By when').fill('2090-01-31');
      await page.getByRole('button', { name: 'Ask for these changes' }).click();
      await expect(page.getByText('The applicant is asked for changes.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Take the request for changes back' })).toBeVisible();

      // The timeline, in words.
      await tab(page, 'Timeline').click();
      await expect(page.getByText('The record is unbroken')).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'Changes asked for' })).toContainText(
        'Submitted → Changes asked for',
      );
      await looked(page, javaScriptEnabled);

      // The applicant sees the reason and the mail, but not the note.
      const messages = await request.get('/api/users/conversation', { headers: bearer(token) });
      expect(await messages.text()).toContain('Please call us.');
      const documents = await request.get('/api/users/documents', { headers: bearer(token) });
      expect(await documents.text()).toContain(REASON);
      await request.dispose();

      await page.getByRole('link', { name: 'Back to the list' }).click();
      await expect(page).toHaveURL(new RegExp(`tab=all&q=${person.lastName}`));
      const complained = heard.filter(
        (each) => !each.includes('status of 422') && !each.includes('preview?file='),
      );
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });

    test('two who work on the same application do not overwrite each other', async ({
      page,
      browser,
      server,
      playwright,
      baseURL,
    }) => {
      test.slow();
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: javaScriptEnabled ? 'Contested' : 'Plaincontested' };
      await submittedByApi(request, person);
      await request.dispose();
      const [first, second] = [newOwner(server), newOwner(server)];
      await logInStaff(page, first);
      const context = await browser.newContext({ javaScriptEnabled, ...(baseURL ? { baseURL } : {}) });
      const other = await context.newPage();
      await logInStaff(other, second);
      await openFromList(page, person);
      await openFromList(other, person);
      await expect(other.getByText(`${first.email} is looking at this, too.`)).toBeVisible();
      for (const each of [page, other]) {
        await each.getByText('More', { exact: true }).click();
        await each.getByRole('link', { name: 'Withdraw for the applicant' }).click();
        await each.getByLabel('Reason').fill(each === page ? 'They called.' : 'They wrote.');
      }
      await page.getByRole('button', { name: 'Withdraw it' }).click();
      await expect(page.getByText('The application is withdrawn.')).toBeVisible();
      await other.getByRole('button', { name: 'Withdraw it' }).click();
      await expect(other.getByRole('alert')).toContainText('Another administrator changed this application.');
      await expect(other.getByText('You saw: Submitted')).toBeVisible();
      await expect(other.getByText('Now: Withdrawn or declined')).toBeVisible();
      await expect(other.getByText('They wrote.')).toBeVisible();
      await looked(other, javaScriptEnabled);
      await context.close();
    });
  });
}

test('a picture is previewed without a complaint of the browser', async ({
  page,
  server,
  playwright,
  baseURL,
}) => {
  const heard = complaints(page);
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Pictured' };
  const { token } = await submittedByApi(request, person);
  // A single white pixel.
  const point =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';
  const sent = await request.post('/api/users/documents', {
    headers: bearer(token),
    multipart: {
      slot: 'identity',
      file: { name: 'passport.png', mimeType: 'image/png', buffer: Buffer.from(point, 'base64') },
    },
  });
  expect(sent.status(), await sent.text()).toBe(201);
  await request.dispose();
  await logInStaff(page, newOwner(server));
  await openFromList(page, person);
  await tab(page, 'Documents').click();
  const slot = page.getByRole('region', { name: 'Proof of identity' });
  const picture = slot.getByRole('img', { name: 'passport.png' });
  await expect(picture).toBeVisible();
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(1);
  expect(heard).toEqual([]);
});

test('who leaves an application is not said to look at it', async ({
  page,
  browser,
  server,
  playwright,
  baseURL,
}) => {
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Left' };
  await submittedByApi(request, person);
  await request.dispose();
  const [first, second] = [newOwner(server), newOwner(server)];
  await logInStaff(page, first);
  await openFromList(page, person);
  await hydrated(page);
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  const other = await context.newPage();
  await logInStaff(other, second);
  await openFromList(other, person);
  const present = other.getByText(`${first.email} is looking at this, too.`);
  await expect(present).toBeVisible();
  // Another part of the application does not count as leaving; another page does.
  await tab(page, 'Timeline').click();
  await expect(page).toHaveURL(/\/timeline/);
  await other.reload();
  await expect(present).toBeVisible();
  const left = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/presence'));
  await page.getByRole('link', { name: 'Work' }).click();
  await left;
  await expect(async () => {
    await other.reload();
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(present).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await context.close();
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'twice with JavaScript' : 'twice without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('one person who applied twice is found, merged and parted again', async ({
      page,
      server,
      playwright,
      baseURL,
    }) => {
      test.slow();
      const heard = complaints(page);
      const person = { ...newPerson(), lastName: javaScriptEnabled ? 'Twice' : 'Plaintwice' };
      const again = { ...newPerson(), lastName: person.lastName };
      const references: string[] = [];
      for (const each of [person, again]) {
        const request = await playwright.request.newContext({ baseURL });
        references.push((await submittedByApi(request, each)).reference);
        await request.dispose();
      }
      await logInStaff(page, newOwner(server));
      await page.goto(`/admin-panel/applications?tab=all&q=${references[0]}`);
      await page.getByRole('link', { name: `Demo ${person.lastName}` }).click();
      await expect(page.getByText('Perhaps the same person applied twice')).toBeVisible();
      await looked(page, javaScriptEnabled);
      await page.getByRole('link', { name: 'Compare them' }).click();
      const twin = page.getByRole('article', { name: references[1]! });
      await expect(twin.getByRole('row', { name: /^Name/ })).toContainText('The same');
      await expect(twin.getByRole('row', { name: /^Phone/ })).not.toContainText('The same');
      await expect(twin).toContainText(again.email);
      await looked(page, javaScriptEnabled);
      await twin.getByRole('button', { name: 'Merge into this application' }).click();
      await expect(page.getByText('Merged: this application goes on, and the other one')).toBeVisible();
      await twin.getByRole('link', { name: references[1]! }).click();
      await expect(page.getByText('This application was merged into another one')).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: 'Withdrawn' })).toBeVisible();
      await looked(page, javaScriptEnabled);
      await page.getByRole('button', { name: 'Take it back' }).click();
      await expect(page.getByText('What merging had withdrawn is where it was.')).toBeVisible();
      await expect(page.getByRole('definition').filter({ hasText: 'Submitted' }).first()).toBeVisible();
      await page.getByRole('button', { name: 'These are two people' }).click();
      await expect(page.getByText('Noted: these are two people.')).toBeVisible();
      await expect(page.getByText('Perhaps the same person')).toHaveCount(0);
      if (javaScriptEnabled) expect(heard).toEqual([]);
    });
  });
}

test('an application is worked on by keyboard', async ({ page, server, playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Keyboarddossier' };
  await submittedByApi(request, person);
  await request.dispose();
  await logInStaff(page, newOwner(server));
  await page.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
  await hydrated(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Demo ${person.lastName}`);
  await hydrated(page);
  await tab(page, 'Notes').focus();
  await page.keyboard.press('Enter');
  const note = page.getByLabel('New note');
  await expect(note).toBeVisible();
  await note.focus();
  await page.keyboard.type('By keyboard.');
  const write = page.getByRole('button', { name: 'Write the note' });
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press('Tab');
    if (await write.evaluate((button) => button === document.activeElement)) break;
  }
  await expect(write).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').filter({ hasText: 'By keyboard.' })).toBeVisible();
});

test('a note that is not written yet is not left behind unasked', async ({
  page,
  server,
  playwright,
  baseURL,
}) => {
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Unsavednote' };
  await submittedByApi(request, person);
  await request.dispose();
  await logInStaff(page, newOwner(server));
  await openFromList(page, person);
  await hydrated(page);
  await tab(page, 'Notes').click();
  const note = page.getByLabel('New note');
  await note.fill('Half a thought');
  const notes = page.url();

  const asks = page.getByRole('dialog', { name: 'Leave without saving?' });
  await tab(page, 'Documents').click();
  await expect(asks).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(asks).toHaveCount(0);
  await expect(note).toHaveValue('Half a thought');
  await page.goBack();
  await asks.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(page).toHaveURL(notes);
  await expect(note).toHaveValue('Half a thought');

  // After sending or discarding, leaving does not ask for confirmation.
  await note.fill('A whole thought');
  await page.getByRole('button', { name: 'Write the note' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'A whole thought' })).toBeVisible();
  await hydrated(page);
  await note.fill('Never mind');
  await tab(page, 'Documents').click();
  await asks.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/documents\b/);
  await tab(page, 'Notes').click();
  await expect(note).toHaveValue('');
  await tab(page, 'Documents').click();
  await expect(page).toHaveURL(/\/documents\b/);
});
