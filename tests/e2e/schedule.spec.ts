// The interview: from the free times to the booking, and the actions on it.

import { readFile } from 'node:fs/promises';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import ICAL from 'ical.js';
import { hydrated } from './support/browser';
import { bearer, newPerson, submittedByApi } from './support/people';
import { expect, test } from './support/test';

const times = (page: Page): Locator => page.locator('button[name="startsAt"]');

/** Submits an application in the browser of `context`. */
async function submitted(context: BrowserContext): Promise<string> {
  const { token } = await submittedByApi(context.request, newPerson());
  return token;
}

/** The free times returned by the API. */
async function freeTimes(context: BrowserContext, token: string): Promise<string[]> {
  const answer = await context.request.get('/api/users/interview', { headers: bearer(token) });
  return ((await answer.json()) as { times: string[] }).times;
}

/** Chooses the first time of the displayed week, and books it or moves to it. */
async function take(page: Page, button: string): Promise<void> {
  const chosen = times(page).first();
  const told = (await chosen.locator('strong').innerText()).trim();
  await chosen.click();
  await expect(page).toHaveURL('/schedule?step=confirm');
  await expect(page.getByRole('status')).toContainText(
    /We are holding this time for you until \d+:\d\d\s[AP]M\./,
  );
  await expect(page.locator('.told-time')).toContainText(told);
  await page.getByRole('button', { name: button }).click();
}

test.beforeEach(({ server }) => server.seed());

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an interview is booked, moved twice and no third time, and cancelled', async ({
      page,
      context,
    }) => {
      test.slow();
      await submitted(context);
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: /Book your interview/ })).toBeVisible();
      await page.getByRole('link', { name: 'Choose a time' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Book your interview');
      await take(page, 'Book my interview');

      await expect(page).toHaveURL('/thankyou');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Thank you. Your interview is booked.',
      );
      await page.getByRole('link', { name: 'See your interview' }).click();
      const file = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Add it to your calendar' }).click();
      const calendar = new ICAL.Component(ICAL.parse(await readFile(await (await file).path(), 'utf8')));
      const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
      expect(event.sequence).toBe(0);
      expect(event.startDate.zone?.tzid).toBe('America/New_York');

      await expect(page.getByText('You can move your interview twice, until')).toBeVisible();
      for (const words of ['once more, until', 'You have moved your interview twice.']) {
        await page.getByRole('link', { name: 'Move it to another time' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Move your interview');
        await page.getByRole('link', { name: 'Later' }).click();
        await expect(page).toHaveURL(/week=/);
        await take(page, 'Move my interview');
        await expect(page).toHaveURL('/schedule?done=moved');
        await expect(page.getByRole('status')).toHaveText(/Your interview has been moved\./);
        await expect(page.getByText(words)).toBeVisible();
      }
      await expect(page.getByRole('link', { name: 'Move it to another time' })).toBeHidden();
      await page.goto('/schedule?step=move');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your interview');

      await page.goto('/dashboard');
      await expect(page.getByText(/Your interview is (in \d+ days|tomorrow)/)).toBeVisible();
      await page.getByRole('link', { name: 'See, move or cancel it' }).click();
      await page.getByText('Cancel your interview').click();
      await page.getByLabel('Why are you canceling?').fill('Demo: something has come up.');
      await page.getByRole('button', { name: 'Cancel my interview' }).click();
      await expect(page.getByText(/^Your interview has been canceled\./)).toBeVisible();
      await expect(times(page).first()).toBeVisible();
    });

    test('the time zone is changed, found by a part of its name', async ({ page, context }) => {
      await submitted(context);
      await page.goto('/schedule');
      const first = await times(page).first().getAttribute('value');
      await page.getByRole('link', { name: 'Change the time zone' }).click();
      await page.getByLabel('Time zone').fill('Mars');
      await page.getByRole('button', { name: 'Save the time zone' }).click();
      await expect(page.getByLabel('Time zone')).toHaveAccessibleDescription(
        /Choose a time zone from the list\./,
      );
      await expect(page.getByLabel('Time zone')).toHaveValue('Mars');
      await page.getByLabel('Time zone').fill('Asia/Kolkata');
      await page.getByRole('button', { name: 'Save the time zone' }).click();
      await expect(page.locator('.clocks')).toContainText('Asia/Kolkata');
      const same = page.locator(`button[value="${first}"]`);
      await expect(same.locator('small')).toHaveText(/E[SD]T$/);
    });
  });
}

test('of two who want the same time, the second is told and chooses another', async ({
  page,
  context,
  browser,
  server,
}) => {
  await submitted(context);
  const other = await browser.newContext({ baseURL: server.url });
  await submitted(other);
  const otherPage = await other.newPage();
  await page.goto('/schedule');
  await otherPage.goto('/schedule');
  const wanted = await times(page).first().getAttribute('value');
  await Promise.all([page, otherPage].map((each) => each.locator(`button[value="${wanted}"]`).click()));
  const winners = [page, otherPage].filter((each) => each.url().endsWith('?step=confirm'));
  expect(winners).toHaveLength(1);
  const late = winners[0] === page ? otherPage : page;
  await expect(late.getByRole('alert')).toContainText(
    'Somebody has just taken this time. Choose another one.',
  );
  await expect(late.locator(`button[value="${wanted}"]`)).toHaveCount(0);
  await winners[0]!.getByRole('button', { name: 'Book my interview' }).click();
  await expect(winners[0]!).toHaveURL('/thankyou');
  await take(late, 'Book my interview');
  await expect(late).toHaveURL('/thankyou');
  await other.close();
});

test('a time that is not kept any more is said to be over', async ({ page, context }) => {
  await submitted(context);
  await page.clock.install();
  await page.goto('/schedule');
  await times(page).first().click();
  await expect(page.getByRole('status')).toContainText('We are holding this time for you until');
  await hydrated(page);
  await page.clock.fastForward('04:30');
  await expect(page.getByRole('status')).toContainText('less than a minute');
  await page.clock.fastForward('00:40');
  await expect(page.getByRole('status')).toContainText('The five minutes are over');
});

test('the clock of the device is offered to who has chosen none', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, timezoneId: 'Europe/Berlin' });
  await submitted(context);
  const page = await context.newPage();
  await page.goto('/schedule');
  await page.getByRole('button', { name: 'Use this time zone' }).click();
  await expect(page.locator('.clocks')).toContainText('Europe/Berlin');
  await expect(page.getByRole('button', { name: 'Use this time zone' })).toBeHidden();
  await context.close();
});

test('where no time is free, three are wished for, shown and replaced', async ({ browser, ownServer }) => {
  const context = await browser.newContext({ baseURL: ownServer.url });
  const token = await submitted(context);
  expect(await freeTimes(context, token)).toEqual([]);
  const page = await context.newPage();
  await page.goto('/schedule');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Three times that suit you');
  const year = new Date().getFullYear() + 1;
  await page
    .getByRole('group', { name: 'First time' })
    .getByLabel('Date')
    .fill(`${new Date().getFullYear() - 1}-06-01`);
  await page.getByRole('button', { name: 'Send three times' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(
    page.getByRole('group', { name: 'First time' }).getByLabel('Time'),
  ).toHaveAccessibleDescription('Choose a time of day.');
  for (const [place, name] of ['First time', 'Second time', 'Third time'].entries()) {
    const wish = page.getByRole('group', { name });
    await wish.getByLabel('Date').fill(`${year}-01-1${place}`);
    await wish.getByLabel('Time').fill('14:30');
  }
  await page.getByRole('button', { name: 'Send three times' }).click();
  await expect(page.getByText('You have sent us three times that suit you')).toBeVisible();
  await expect(page.getByText(/January\s12,\s\d{4}, 2:30\sPM/)).toBeVisible();
  await page.getByRole('group', { name: 'Third time' }).getByLabel('Time').fill('09:00');
  await page.getByRole('button', { name: 'Send these three instead' }).click();
  await expect(page.getByText(/January\s12,\s\d{4}, 9:00\sAM/)).toBeVisible();
  await context.close();
});
