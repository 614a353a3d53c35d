// Open days, and places at them.

import { expect, type Locator, type Page } from '@playwright/test';

let days = 0;

/** A day in the coming months, as date inputs take it. */
export const inDays = (ahead: number) =>
  new Date(Date.now() + ahead * 24 * 3600 * 1000).toISOString().slice(0, 10);

/** Enters a new open day, and opens its page. */
export async function makeDay(
  page: Page,
  { places = '12', ahead = 20, place = '12 Demo Street, Room 4', program = 'msc' } = {},
): Promise<{ title: string; path: string }> {
  days += 1;
  const title = `Open day ${process.pid}-${days}`;
  await page.goto('/admin-panel/open-days');
  const form = page.getByRole('main');
  await form.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
  await form.getByLabel('Title in Spanish (optional)').fill(`Jornada ${process.pid}-${days}`);
  await form.getByLabel('Program').selectOption(program);
  await form.getByLabel('Date').fill(inDays(ahead));
  await form.getByLabel('Time').fill('15:00');
  await form.getByLabel('Minutes').fill('90');
  await form.getByLabel('Place or link').fill(place);
  await form.getByRole('textbox', { name: 'Places', exact: true }).fill(places);
  await form.getByRole('button', { name: 'Add open day' }).click();
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  const path = await page.getByRole('main').locator('a[href^="/open-days/"]').first().getAttribute('href');
  return { title, path: path! };
}

/** Fills in the booking form and sends it. */
export async function book(form: Locator, email: string, people: string): Promise<void> {
  await form.getByLabel('First name').fill('Zoë');
  await form.getByLabel('Last name').fill('Visitor');
  await form.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await form.getByLabel('Number of people').selectOption(people);
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Book' }).click();
}
