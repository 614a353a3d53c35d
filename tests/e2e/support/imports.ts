// Files that an Owner imports.

import { expect, type Page } from '@playwright/test';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

export const part = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
export const figure = (page: Page, label: string) =>
  page.getByRole('listitem').filter({ hasText: new RegExp(`^[\\d,]+\\s*${label}$`) });

/** A row as the former system writes it. */
export function line(person: { email: string; lastName: string }, outcome: string, number: string): string {
  const { email, lastName } = person;
  return [email, 'Demo', lastName, '31.12.1990', '0301234567', 'Germany', 'Bachelor', outcome, number].join(
    ';',
  );
}

export const HEADINGS = 'E-Mail;First name;Last name;Hatched;Phone;Country;Program;Status;Old number';

/** Chooses a file and uploads it. */
export async function upload(page: Page, name: string, lines: string[], headings = HEADINGS): Promise<void> {
  const buffer = Buffer.from(`${[headings, ...lines].join('\r\n')}\r\n`);
  await page.getByLabel(/Choose a file/).setInputFiles({ name, mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Upload' }).click();
  await expect(heading(page)).toHaveText(name);
}

/** Says what the columns are that are not recognised, and has the rows checked. */
export async function map(page: Page): Promise<void> {
  await page.getByLabel('What “Hatched” is').selectOption('dateOfBirth');
  await page.getByLabel('What “Old number” is').selectOption('formerReference');
  await page.getByLabel('How days are written').selectOption('dmy');
  await page.getByRole('button', { name: 'Check the rows' }).click();
  await expect(part(page, 'What would be imported')).toBeVisible({ timeout: 30_000 });
}
