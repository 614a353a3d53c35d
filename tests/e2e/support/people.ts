import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { pdf } from './files';
import { linkTo } from './mailbox';

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  phoneNumber: string;
}

let people = 0;

/** Returns a person unknown to the product. */
export function newPerson(): Person {
  people += 1;
  return {
    firstName: 'Demo',
    lastName: 'Person',
    email: `demo.${process.pid}.${people}@example.org`,
    password: 'four words in a row',
    // Must be unique, otherwise they would all be taken for the same person.
    phoneNumber: `+15555${String(process.pid % 1000).padStart(3, '0')}${String(people).padStart(3, '0')}`,
  };
}

/**
 * Registers a person with a confirmed address, without opening a page. The browser that `request` belongs to then has
 * the session cookie.
 */
export async function registerByApi(
  request: APIRequestContext,
  person: Person,
  applicationType?: 'ba' | 'msc',
): Promise<{ token: string }> {
  const entered = await registerUnconfirmed(request, person, applicationType);
  const link = new URL(await linkTo(request, person.email), 'http://any.example');
  const confirmed = await request.post('/api/users/email-confirmation/confirm', {
    data: { token: link.searchParams.get('token') },
  });
  expect(confirmed.status(), await confirmed.text()).toBe(204);
  return entered;
}

/** The same, with an unconfirmed address. */
export async function registerUnconfirmed(
  request: APIRequestContext,
  person: Person,
  applicationType?: 'ba' | 'msc',
): Promise<{ token: string }> {
  const answer = await request.post('/api/users/register', {
    data: {
      ...person,
      dateOfBirth: '1994-05-17',
      country: 'US',
      state: 'VA',
      ...(applicationType ? { applicationType } : {}),
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as { token: string };
}

/** Logs a person in without opening a page. */
export async function logInByApi(
  request: APIRequestContext,
  { email, password }: Person,
): Promise<{ token: string }> {
  const answer = await request.post('/api/users/login', { data: { email, password } });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()) as { token: string };
}

/** The minimal answers that complete a bachelor's application. */
export const shortAnswers = {
  applicationType: 'ba',
  personalInfo: { isUSCitizen: false, isMilitaryAffiliated: false, isDoDEmployee: false, state: null },
  education: { hasBachelors: false, hasMasters: false },
  employment: { isSeeingCoachingClients: false, isCurrentlyEmployed: false, hasPreviousEmployment: false },
  financialPlan: { selectedPayments: ['employer'] },
  creditTransfer: { selectedPrograms: [] },
  questionnaire: {
    answers: { motivation: 'A demo.', studyMode: 'full_time', hoursPerWeek: 40, needsAccommodation: false },
  },
};

/** Registers a person with a submitted application. */
export async function submittedByApi(
  request: APIRequestContext,
  person: Person,
): Promise<{ token: string; reference: string }> {
  const { token } = await registerByApi(request, person, 'ba');
  const headers = bearer(token);
  const saved = await request.post('/api/users/application', { data: shortAnswers, headers });
  expect(saved.status(), await saved.text()).toBe(200);
  const submitted = await request.post('/api/users/application/submit', {
    data: { declaration: true },
    headers,
  });
  expect(submitted.status(), await submitted.text()).toBe(200);
  const { reference } = (await submitted.json()) as { reference: string };
  return { token, reference };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Returns a person's application as stored on the server. */
export async function storedApplication(request: APIRequestContext, person: Person) {
  const { token } = await logInByApi(request, person);
  const answer = await request.get('/api/users/application', { headers: bearer(token) });
  expect(answer.status()).toBe(200);
  return (await answer.json()) as {
    applicationType: 'ba' | 'msc';
    revision: number;
    sections: Record<string, string>;
    data: {
      personalInfo: { state: string | null };
      employment: { currentEmployer: { name: string; jobTitle: string } };
      questionnaire: { answers: Record<string, unknown> };
    };
  };
}

export const registerDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Create Your Admissions Account', exact: true });

export const loginDialog = (page: Page) => page.getByRole('dialog', { name: 'Log in', exact: true });

/** Fills in the registration form without submitting it. */
export async function fillRegistration(dialog: Locator, person: Person): Promise<void> {
  await dialog.getByLabel('First name').fill(person.firstName);
  await dialog.getByLabel('Last name').fill(person.lastName);
  await dialog.getByLabel('Date of birth').fill('1994-05-17');
  await dialog.getByLabel('Country code').selectOption('US');
  await dialog.getByLabel('Phone number').fill('555 555 0123');
  await dialog.getByLabel('State').selectOption('Virginia');
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill(person.email);
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByLabel('Repeat password', { exact: true }).fill(person.password);
}

/** Fills in the open login form and submits it. */
export async function submitLogin(page: Page, { email, password }: Person): Promise<void> {
  const dialog = loginDialog(page);
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Log in' }).click();
}

/** Uploads a proof of identity without opening a page. */
export async function sendIdentity(request: APIRequestContext, token: string): Promise<void> {
  const sent = await request.post('/api/users/documents', {
    headers: bearer(token),
    multipart: {
      slot: 'identity',
      file: { name: 'passport.pdf', mimeType: 'application/pdf', buffer: pdf(3000) },
    },
  });
  expect(sent.status(), await sent.text()).toBe(201);
}
