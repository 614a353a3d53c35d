// A morning in the office: tasks of five kinds, found and completed.

import type { Page } from '@playwright/test';
import { hydrated, tabTo } from './support/browser';
import { newPerson, sendIdentity, submittedByApi } from './support/people';
import { liftPlaces, logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

const EACH = 4;

/** Returns how many tasks of the kind the first page lists for an application. */
const about = (page: Page, path: string) => page.locator(`tbody a[href*="${path}"]`).count();

const list = (kind: string) => `/admin-panel/work?whose=team&task=${kind}`;

/** Opens the most urgent task of the kind. Returns its application, and how many such tasks it has. */
async function take(page: Page, kind: string): Promise<{ path: string; before: number }> {
  await page.goto(list(kind));
  await hydrated(page);
  await page.keyboard.press('j');
  const href = await page.locator(':focus').getAttribute('href');
  const path = /\/applications\/[\w-]+/.exec(href ?? '')?.[0] ?? '';
  const before = await about(page, path);
  expect(before, kind).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin-panel\/applications\//);
  await hydrated(page);
  return { path, before };
}

async function pressButton(page: Page, name: RegExp | string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name }).first());
  await page.keyboard.press('Enter');
}

const done = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible();

/** How to complete a task of each kind, using only the keyboard. */
const ways: Record<string, (page: Page) => Promise<void>> = {
  async alert(page) {
    await pressButton(page, /^Done with “See what has changed/);
    await done(page, 'The task is closed.');
  },
  async 'document-check'(page) {
    await expect(page.getByRole('region', { name: 'Proof of identity' })).toContainText('To be looked at');
    await page.keyboard.press('a');
    await done(page, 'The document is accepted.');
  },
  async 'score-sheet'(page) {
    const groups = page.getByRole('group', { name: '5 is best' });
    for (const group of await groups.all()) {
      await tabTo(page, group.getByRole('radio').first());
      await page.keyboard.press('Space');
      for (let points = 1; points < 4; points++) await page.keyboard.press('ArrowRight');
    }
    const recommendation = page.getByLabel('Recommendation');
    await tabTo(page, recommendation);
    await page.keyboard.type('Accept');
    await pressButton(page, 'Keep the score sheet');
    await done(page, 'The score sheet is kept.');
  },
  async 'decision-draft'(page) {
    await page.keyboard.press('e');
    const accept = page.getByRole('link', { name: 'Draft an acceptance' });
    await expect(accept).toBeVisible();
    await hydrated(page);
    await tabTo(page, accept);
    await page.keyboard.press('Enter');
    const reason = page.getByLabel('Why it is decided without the missing documents');
    await expect(reason).toBeVisible();
    await tabTo(page, reason);
    await page.keyboard.type('Seen on paper');
    await pressButton(page, 'Keep the draft');
    await done(page, 'The draft is kept.');
  },
  async 'decision-release'(page) {
    await page.keyboard.press('e');
    const now = page.getByRole('radio', { name: 'Now' });
    await expect(now).toBeVisible();
    await tabTo(page, now);
    await page.keyboard.press('Space');
    await pressButton(page, 'Release the decision');
    await expect(page.getByText('The applicant sees nothing of it yet.')).toBeVisible();
  },
};

test('twenty tasks of five kinds are finished by keyboard alone', async ({
  browser,
  ownServer,
  playwright,
}) => {
  test.setTimeout(300_000);
  ownServer.command(['seed', '--demo', '--season', '130']);
  const request = await playwright.request.newContext({ baseURL: ownServer.url });
  for (let person = 0; person < EACH; person++) {
    const { token } = await submittedByApi(request, newPerson());
    await sendIdentity(request, token);
  }
  await request.dispose();
  const context = await browser.newContext({ baseURL: ownServer.url });
  const page = await context.newPage();
  await logInStaff(page, newOwner(ownServer));
  await expect(page).toHaveURL('/admin-panel/work');
  await liftPlaces(page);
  for (const [kind, finish] of Object.entries(ways)) {
    for (let task = 0; task < EACH; task++) {
      const { path, before } = await take(page, kind);
      await finish(page);
      await page.goto(list(kind));
      expect(await about(page, path), kind).toBe(before - 1);
    }
  }
  await context.close();
});
