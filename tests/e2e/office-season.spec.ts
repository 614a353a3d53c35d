// A season in the office: five hundred demo applications and five members of staff.

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { complaints, expectSameDocument, hydrated, markDocument, tabTo } from './support/browser';
import { linkTo } from './support/mailbox';
import { bearer, newPerson, sendIdentity, submittedByApi } from './support/people';
import {
  liftPlaces,
  logInStaff,
  newOwner,
  newStaffLogin,
  tab,
  type Role,
  type StaffLogin,
} from './support/staff';
import { expect, expectComplaint, test as base } from './support/test';

const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

const DAYS_LATER = 14;

interface Desk extends StaffLogin {
  page: Page;
}

/** Invites somebody, who accepts in their own browser. */
async function invite(owner: Page, browser: Browser, baseURL: string, role: Role): Promise<Desk> {
  const invited = newStaffLogin();
  await owner.goto('/admin-panel/admins');
  await owner.getByLabel('Email').fill(invited.email);
  await owner.getByLabel('Role').selectOption(role);
  await owner.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(owner.getByRole('status')).toContainText('The invitation is sent.');
  const page = await (await browser.newContext({ baseURL, acceptDownloads: true })).newPage();
  await page.goto(await linkTo(owner.request, invited.email));
  await page.getByLabel('Your name').fill(`Demo ${role}`);
  await page.getByLabel('Password', { exact: true }).fill(invited.password);
  await page.getByLabel('Repeat password', { exact: true }).fill(invited.password);
  await page.getByRole('button', { name: 'Take the invitation' }).click();
  await expect(page).toHaveURL(role === 'viewer' ? '/admin-panel/applications' : '/admin-panel/work');
  return { ...invited, page };
}

/** The number of applications that the list reports. */
const counted = (page: Page) => page.getByRole('status').filter({ hasText: /applications?$/ });

/** Selects and deselects a row of the list, goes to the next page and back, all by keyboard. */
async function turnPagesByKeyboard(page: Page): Promise<void> {
  await page.goto('/admin-panel/applications?tab=all');
  await hydrated(page);
  await markDocument(page);
  const names = page.getByRole('rowheader').getByRole('link');
  const first = await names.first().innerText();
  await tabTo(page, page.getByRole('checkbox', { name: /^Choose / }).nth(1));
  await page.keyboard.press('Space');
  await expect(page.getByRole('group', { name: '1 chosen' })).toBeVisible();
  await page.keyboard.press('Space');
  const next = page.getByRole('link', { name: 'Next page' });
  await tabTo(page, next, { atMost: 300 });
  await page.keyboard.press('Enter');
  await expect(names.first()).not.toHaveText(first);
  // Pressing it again goes on to the page after that.
  await expect(next).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('link', { name: 'Previous page' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(names.first()).toHaveText(first);
  await expectSameDocument(page);
}

test('five hundred applications go through the office', async ({ page, ownServer, browser, playwright }) => {
  test.setTimeout(300_000);
  const baseURL = ownServer.url;
  ownServer.command(['seed', '--demo', '--season', '500']);
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Season' };
  const { token, reference } = await submittedByApi(request, person);
  await sendIdentity(request, token);

  const owner = newOwner(ownServer);
  await logInStaff(page, owner);
  await expect(page).toHaveURL('/admin-panel/work');
  await turnPagesByKeyboard(page);
  await liftPlaces(page);
  const viewer = await invite(page, browser, baseURL, 'viewer');
  const interviewer = await invite(page, browser, baseURL, 'interviewer');
  const reviewer = await invite(page, browser, baseURL, 'reviewer');
  const decider = await invite(page, browser, baseURL, 'decider');
  const desks = [viewer, interviewer, reviewer, decider];
  const heard = [page, ...desks.map((desk) => desk.page)].flatMap((each) => [complaints(each)]);

  // The reviewer filters, requests changes from an applicant and views a document.
  const review = reviewer.page;
  await review.goto('/admin-panel/applications?tab=submitted');
  await hydrated(review);
  const all = Number.parseInt(await counted(review).innerText(), 10);
  await review.getByText('Filter', { exact: true }).click();
  await review.getByRole('combobox', { name: 'Program' }).selectOption({ label: 'Master’s' });
  await expect(review).toHaveURL(/program=/);
  await expect(async () => {
    const masters = Number.parseInt(await counted(review).innerText(), 10);
    expect(masters).toBeGreaterThan(0);
    expect(masters).toBeLessThan(all);
  }).toPass();
  await review.getByRole('rowheader').getByRole('link').first().click();
  await review.getByText('More', { exact: true }).click();
  await review.getByRole('link', { name: 'Ask for changes' }).click();
  await review.getByLabel('Employment').check();
  await review.getByLabel('What is to be changed').fill('Please add your employer.');
  await review.getByLabel('By when').fill('2090-01-31');
  await review.getByRole('button', { name: 'Ask for these changes' }).click();
  await expect(review.getByText('The applicant is asked for changes.')).toBeVisible();
  await review.goto(`/admin-panel/applications?tab=all&q=${reference}`);
  await review.getByRole('link', { name: 'Demo Season' }).click();
  await tab(review, 'Documents').click();
  const identity = review.getByRole('region', { name: 'Proof of identity' });
  await identity.getByRole('button', { name: /^Accept/ }).click();
  await expect(review.getByText('The document is accepted.')).toBeVisible();

  // The interviewer sets their availability, and books a time for the applicant.
  const meeting = interviewer.page;
  await meeting.goto('/admin-panel/interviews');
  await hydrated(meeting);
  const week = meeting.getByRole('form', { name: 'Add times of a week' });
  for (const day of ['1', '2', '3', '4', '5']) {
    await week.getByLabel('Day').selectOption(day);
    await week.getByLabel('From').fill('10:00');
    await week.getByLabel('Until').fill('12:00');
    await week.getByRole('button', { name: 'Add to every week' }).click();
    await expect(meeting.getByRole('status').first()).toContainText('The times are changed.');
  }
  await meeting.goto(`/admin-panel/applications?tab=all&q=${reference}`);
  await meeting.getByRole('link', { name: 'Demo Season' }).click();
  await tab(meeting, 'Interview').click();
  await meeting.getByRole('button', { name: 'Book this time' }).click();
  await expect(meeting.getByText('The interview is booked.')).toBeVisible();

  // Two weeks later everybody has to log in again. The interview was held, and its outcome is recorded.
  expectComplaint(/net::ERR_/);
  // Open applications ask who else is there, and would complain that nobody answers.
  for (const each of [page, ...desks.map((desk) => desk.page)]) await each.goto('about:blank');
  await ownServer.stop();
  await ownServer.launch(DAYS_LATER * 24 * 60);
  await logInStaff(meeting, interviewer);
  await meeting.goto(`/admin-panel/applications?tab=all&q=${reference}`);
  await meeting.getByRole('link', { name: 'Demo Season' }).click();
  await tab(meeting, 'Interview').click();
  await meeting.getByRole('button', { name: 'It was held' }).click();
  await expect(meeting.getByText('The interview is recorded as held.')).toBeVisible();
  const sheet = meeting.getByRole('region', { name: /score sheet/i });
  for (const criterion of await sheet.getByRole('group').all()) {
    await criterion.getByRole('radio', { name: '4', exact: true }).check();
  }
  await sheet.getByLabel('Recommendation').selectOption('accept');
  await sheet.getByLabel('Comment').fill('Knows why.');
  await sheet.getByRole('button', { name: 'Keep the score sheet' }).click();
  await expect(meeting.getByText('The score sheet is kept.')).toBeVisible();

  // The decider drafts, releases all drafts, and recalls one.
  const deciding = decider.page;
  await logInStaff(deciding, decider);
  await deciding.goto(`/admin-panel/applications?tab=all&q=${reference}`);
  await deciding.getByRole('link', { name: 'Demo Season' }).click();
  await tab(deciding, 'Decision').click();
  await deciding.getByRole('link', { name: 'Draft an acceptance' }).click();
  await deciding.getByLabel('Conditions').fill('A diploma');
  await deciding.getByRole('button', { name: 'Keep the draft' }).click();
  await expect(deciding.getByText('The draft is kept.')).toBeVisible();
  await deciding.goto('/admin-panel/decisions');
  await hydrated(deciding);
  const releaseAll = deciding.getByRole('button', { name: /^Release all \d+…$/ });
  const drafts = /\d+/.exec(await releaseAll.innerText())![0];
  expect(Number(drafts)).toBeGreaterThan(5);
  await releaseAll.click();
  await deciding.getByLabel(`Type ${drafts} to confirm`).fill(drafts);
  await deciding.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(deciding.getByText('Released: it can be recalled for 15 minutes')).toHaveCount(Number(drafts));
  await deciding.getByRole('checkbox', { name: 'Choose Demo Season' }).check();
  await deciding.getByRole('button', { name: 'Recall the chosen' }).click();
  await expect(deciding.getByText('Done: the applicant learned nothing')).toBeVisible();
  const known = await request.get('/api/users/application', { headers: bearer(token) });
  expect(await known.text()).not.toContain('accepted');

  // The Viewer reads the figures; the Owner exports the list, which is recorded.
  await logInStaff(viewer.page, viewer);
  await viewer.page.goto('/admin-panel/applications/figures');
  await expect(viewer.page.getByRole('heading', { name: 'How far they have got' })).toBeVisible();
  await logInStaff(page, owner);
  await page.goto('/admin-panel/applications?tab=all');
  const listed = Number.parseInt((await counted(page).innerText()).replace(',', ''), 10);
  const saving = page.waitForEvent('download');
  await page.getByText('Export', { exact: true }).click();
  await page.getByRole('link', { name: 'Save this view as CSV' }).click();
  const rows = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n');
  expect(rows).toHaveLength(listed + 1);
  expect(rows.join('\n')).toContain(reference);

  expect(heard.flat()).toEqual([]);
  await request.dispose();
  for (const desk of desks) await desk.page.context().close();
});
