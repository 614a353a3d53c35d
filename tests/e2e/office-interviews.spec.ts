// Interviews in the office: bookable times, the calendar, the feed, and the actions on an interview.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test as base } from './support/test';

// Times opened here would be bookable in all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('times are opened, booked for an applicant and cancelled', async ({
      page,
      ownServer,
      playwright,
      baseURL,
    }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: `Met${javaScriptEnabled ? 'script' : 'plain'}` };
      await submittedByApi(request, person);
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/applications?tab=interviews');
      await page.getByRole('link', { name: 'Calendar and times' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Interviews');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      const week = page.getByRole('form', { name: 'Add times of a week' });
      await week.getByLabel('From').fill('12:00');
      await week.getByLabel('Until').fill('10:00');
      await week.getByRole('button', { name: 'Add to every week' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose an end after the start.');
      await expect(week.getByLabel('From')).toHaveValue('12:00');
      for (const day of ['1', '2', '3', '4', '5', '6', '7']) {
        await week.getByLabel('Day').selectOption(day);
        await week.getByLabel('From').fill('10:00');
        await week.getByLabel('Until').fill('12:00');
        await week.getByRole('button', { name: 'Add to every week' }).click();
        await expect(page.getByRole('status').first()).toContainText('The times are changed.');
      }
      await page.getByRole('link', { name: 'Next week' }).click();
      const calendar = page.getByRole('region', { name: 'Calendar' });
      await expect(calendar.getByText('Free').first()).toBeVisible();
      await expect(calendar.getByText('10:00–10:40').first()).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      // The applicant can choose them immediately.
      const feed = page.getByRole('region', { name: 'In your calendar program' });
      await feed.getByRole('button', { name: 'Make an address' }).click();
      const address = new URL(await page.locator('.secret-text').innerText());
      const read = await request.get(address.pathname);
      expect([read.status(), await read.text()]).toEqual([200, expect.stringContaining('BEGIN:VCALENDAR')]);
      if (javaScriptEnabled) await expectAccessible(page);
      await request.dispose();

      await page.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
      await page.getByRole('link', { name: `Demo ${person.lastName}` }).click();
      await page
        .getByRole('navigation', { name: 'Parts of the application' })
        .getByRole('link', { name: 'Interview' })
        .click();
      await expect(page.getByText('No interview is booked.')).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      const free = page.getByRole('combobox', { name: 'Free times' });
      const booked = await free.inputValue();
      await page.getByRole('button', { name: 'Book this time' }).click();
      await expect(page.getByRole('status').first()).toContainText('The interview is booked.');
      // In the calendar it is dragged onto a free time; without JavaScript the form behind it does the same.
      await page.goto(`/admin-panel/interviews?view=day&date=${booked.slice(0, 10)}`);
      const slots = calendar.locator('.calendar-slot');
      const own = slots.filter({ hasText: `Demo ${person.lastName}` });
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
        await own.dragTo(slots.filter({ hasText: 'Free' }).last());
        await expect(page).toHaveURL(/interview\?startsAt=/);
        expect(await free.inputValue()).not.toBe(booked);
      } else {
        await own.getByRole('link', { name: person.lastName }).click();
        await free.selectOption({ index: 3 });
      }
      await page.getByRole('button', { name: 'Move to this time' }).click();
      await expect(page.getByText('Booked', { exact: true })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Cancel the interview' }).click();
      await expect(page.getByText('No interview is booked.')).toBeVisible();
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });
  });
}
