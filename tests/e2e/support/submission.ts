// Submitting an application.

import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { bearer, registerByApi, shortAnswers, type Person } from './people';

const REFERENCE = /[BM]\d\d-[2-9A-Z]{4}-[2-9A-Z]{4}/;

/** A person with a complete bachelor's application, in the browser that `request` belongs to. */
export async function complete(request: APIRequestContext, person: Person): Promise<void> {
  const { token } = await registerByApi(request, person, 'ba');
  const saved = await request.post('/api/users/application', { data: shortAnswers, headers: bearer(token) });
  expect(saved.status(), await saved.text()).toBe(200);
}

/** Submits the application whose answers are on the open page, and returns its reference number. */
export async function submit(page: Page): Promise<string> {
  await page.getByRole('checkbox', { name: /truthfully/ }).check();
  await page.getByRole('button', { name: 'Submit your application' }).click();
  await expect(page).toHaveURL('/thankyou', { timeout: 30_000 });
  return (await page.getByText(REFERENCE).first().innerText()).trim();
}
