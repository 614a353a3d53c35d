// Documents: whole files without JavaScript, in pieces with it, despite failing connections, pages and servers.

import type { Page } from '@playwright/test';
import { hydrated } from './support/browser';
import { expectSaved, pdf, withFile } from './support/files';
import { newPerson, registerByApi } from './support/people';
import { expect, expectComplaint, test } from './support/test';

const PATH = '/dashboard/documents';
const PIECE = 1024 * 1024;
const identity = (page: Page) => page.getByRole('region', { name: 'Proof of identity' });
const transcript = (page: Page) => page.getByRole('region', { name: 'Transcript of your bachelor’s degree' });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    async function send(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) {
      await identity(page)
        .getByLabel(/^Choose files/)
        .setInputFiles(files);
      if (!javaScriptEnabled) await identity(page).getByRole('button', { name: 'Send' }).click();
    }

    test('a file is sent, saved and removed, and one that is refused says why', async ({
      signedInPage: page,
    }) => {
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      else await page.goto(PATH);
      if (javaScriptEnabled)
        await page
          .getByRole('navigation', { name: 'Dashboard' })
          .getByRole('link', { name: 'Documents' })
          .click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your documents');
      await expect(page.getByText('0 of 2 documents received')).toBeVisible();
      await expect(identity(page)).toContainText('Needed');
      if (javaScriptEnabled) await expect(identity(page).getByRole('button', { name: 'Send' })).toBeHidden();

      const content = pdf(300_000);
      const good = { name: 'Führerschein.pdf', mimeType: 'application/pdf', buffer: content };
      const wrong = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
      await send(page, [good, wrong]);
      await expect(identity(page)).toContainText('Allowed types: PDF, JPEG, PNG, HEIC, DOCX.');
      await expect(identity(page).locator('.MuiChip-root')).toHaveText('Received');
      await expect(page.getByText('1 of 2 documents received')).toBeVisible();
      await expect(transcript(page).locator('.MuiChip-root')).toHaveText('Needed');
      await expectSaved(page, 'Führerschein.pdf', content);

      // The name says JPEG, but the content does not. With JavaScript the page learns of it when the check is done.
      await send(page, [
        { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>1</script>') },
      ]);
      await expect(identity(page)).toContainText('The file is not a valid JPEG.');

      await page.reload();
      await expect(identity(page).locator('.MuiChip-root')).toHaveText('Received');
      if (javaScriptEnabled) await hydrated(page);
      await identity(page).getByRole('button', { name: 'Remove Führerschein.pdf' }).click();
      await expect(identity(page).locator('.MuiChip-root')).toHaveText('Needed');
      await expect(page.getByRole('status').filter({ hasText: 'The file was removed.' })).toHaveCount(1);
    });
  });
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a form without a file says so', async ({ signedInPage: page }) => {
    await page.goto(PATH);
    // The browser requires a file; without that check the page reports it.
    await page
      .locator('input[type=file]')
      .first()
      .evaluate((input) => input.removeAttribute('required'));
    await identity(page).getByRole('button', { name: 'Send' }).click();
    await expect(identity(page).getByLabel('Choose files')).toHaveAccessibleDescription(
      /^Choose a file first\./,
    );
  });
});

/** Returns the offsets at which the pieces of uploads begin, as they are sent. */
function offsets(page: Page): number[] {
  const seen: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') seen.push(Number(request.headers()['upload-offset']));
  });
  return seen;
}

test('a line that breaks in the middle of a file: it goes on from where it was', async ({
  signedInPage: page,
}) => {
  test.slow();
  const content = pdf(4 * PIECE + 1000);
  const sent = offsets(page);
  let broken = 0;
  await page.route('**/uploads/*', async (route) => {
    const isThird = route.request().headers()['upload-offset'] === String(2 * PIECE);
    if (route.request().method() === 'PATCH' && isThird && broken < 2) {
      broken += 1;
      expectComplaint(/net::ERR_CONNECTION_RESET/);
      await route.abort('connectionreset');
    } else await route.continue();
  });
  await page.goto(PATH);
  await hydrated(page);
  await identity(page)
    .getByLabel(/^Choose files/)
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: content });
  await expect(identity(page).locator('.MuiChip-root')).toHaveText('Received', { timeout: 30_000 });
  expect(broken).toBe(2);
  expect(new Set(sent)).toEqual(new Set([0, PIECE, 2 * PIECE, 3 * PIECE, 4 * PIECE]));
  await expectSaved(page, 'scan.pdf', content);
});

test('a page that is closed in the middle of a file: chosen again, it goes on from where it was', async ({
  signedInPage: page,
}) => {
  test.slow();
  const content = pdf(3 * PIECE + 1000);
  await withFile('scan.pdf', content, async (path) => {
    await page.route('**/uploads/*', (route) =>
      // Neither answered nor refused: the connection stalls.
      route.request().headers()['upload-offset'] === String(2 * PIECE) ? undefined : route.continue(),
    );
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(PATH);
    await hydrated(page);
    const choose = identity(page).getByLabel(/^Choose files/);
    await choose.setInputFiles(path);
    await expect(identity(page)).toContainText(/On its way – (6|7|8|9)\d%/);
    await page.reload();
    await hydrated(page);
    await page.unroute('**/uploads/*');
    await expect(identity(page)).toContainText(
      '2.0 MB of 3.0 MB have arrived. Choose the same file again to send the rest.',
    );
    const sent = offsets(page);
    await choose.setInputFiles(path);
    await expect(identity(page).locator('.MuiChip-root')).toHaveText('Received', { timeout: 30_000 });
    expect(sent).toEqual([2 * PIECE, 3 * PIECE]);
    await expect(identity(page).getByRole('listitem')).toHaveCount(1);
    await expectSaved(page, 'scan.pdf', content);
  });
});

test('a server that is killed in the middle of a file: it goes on by itself', async ({
  browser,
  ownServer,
}) => {
  test.slow();
  const context = await browser.newContext({ baseURL: ownServer.url });
  const page = await context.newPage();
  await registerByApi(context.request, newPerson(), 'ba');
  const content = pdf(4 * PIECE);
  let killed = false;
  await page.route('**/uploads/*', async (route) => {
    if (!killed && route.request().headers()['upload-offset'] === String(2 * PIECE)) {
      killed = true;
      expectComplaint(/net::ERR_/);
      await ownServer.kill();
      setTimeout(() => void ownServer.launch(), 1500);
    }
    await route.continue();
  });
  await page.goto(PATH);
  await hydrated(page);
  await identity(page)
    .getByLabel(/^Choose files/)
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: content });
  await expect(identity(page)).toContainText('The connection is poor. The upload will resume by itself.');
  await expect(identity(page).locator('.MuiChip-root')).toHaveText('Received', { timeout: 40_000 });
  expect(killed).toBe(true);
  await expectSaved(page, 'scan.pdf', content);
  await context.close();
});

test('several files at once, one of them paused and cancelled', async ({ signedInPage: page }) => {
  await page.route('**/uploads/*', async (route) => {
    await new Promise((wake) => setTimeout(wake, 300));
    await route.continue();
  });
  await page.goto(PATH);
  await hydrated(page);
  const file = (name: string, size: number) => ({ name, mimeType: 'application/pdf', buffer: pdf(size) });
  await identity(page)
    .getByLabel(/^Choose files/)
    .setInputFiles([file('one.pdf', 8 * PIECE), file('two.pdf', 1000), file('three.pdf', 1000)]);
  await identity(page).getByRole('button', { name: 'Pause one.pdf' }).click();
  await expect(identity(page)).toContainText('Paused. What has arrived is safe.');
  await expect(identity(page).getByRole('link', { name: 'two.pdf' })).toBeVisible();
  await expect(identity(page).getByRole('link', { name: 'three.pdf' })).toBeVisible();
  await identity(page).getByRole('button', { name: 'Cancel one.pdf' }).click();
  await expect(identity(page).getByRole('listitem')).toHaveCount(2);
  await page.reload();
  await expect(identity(page).getByRole('listitem')).toHaveCount(2);
});

test('a file that is cancelled before the server has answered leaves nothing', async ({
  signedInPage: page,
}) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/users/documents/uploads', async (route) => {
    const response = await route.fetch();
    await asked;
    await route.fulfill({ response });
  });
  await page.goto(PATH);
  await hydrated(page);
  const made = page.waitForRequest('**/api/users/documents/uploads');
  await identity(page)
    .getByLabel(/^Choose files/)
    .setInputFiles([{ name: 'one.pdf', mimeType: 'application/pdf', buffer: pdf(2 * PIECE) }]);
  await made;
  await identity(page).getByRole('button', { name: 'Cancel one.pdf' }).click();
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  answer();
  expect((await removed).ok()).toBe(true);
  await page.reload();
  await expect(identity(page).getByRole('listitem')).toHaveCount(0);
});

test('files that are dropped on a document are sent', async ({ signedInPage: page }) => {
  await page.goto(PATH);
  await hydrated(page);
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.pdf', { type: 'application/pdf' }));
      return transfer;
    },
    [...pdf(500)],
  );
  const form = transcript(page).locator('form.document-send');
  await form.dispatchEvent('dragover', { dataTransfer: data });
  await expect(form).toHaveClass(/document-send-over/);
  await form.dispatchEvent('drop', { dataTransfer: data });
  await expect(transcript(page).getByRole('link', { name: 'dropped.pdf' })).toBeVisible();
});
