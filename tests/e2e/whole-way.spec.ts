// Whole journeys, from the first click to the accepted offer; and the same with lost connections, closed pages and two
// tabs.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { answerEverything, jobTitle, openSection, saved, sectionPath } from './support/answers';
import { hydrated } from './support/browser';
import { expectSaved, pdf } from './support/files';
import { accept } from './support/office';
import { fillRegistration, newPerson, registerDialog, storedApplication } from './support/people';
import { submit } from './support/submission';
import { expect, expectComplaint, test } from './support/test';

const identity = (page: Page) => page.getByRole('region', { name: 'Proof of identity' });

for (const { program, name, javaScriptEnabled } of [
  { program: 'bachelor', name: 'Bachelor’s program', javaScriptEnabled: true },
  { program: 'masters', name: 'Master’s program', javaScriptEnabled: true },
  { program: 'bachelor', name: 'Bachelor’s program', javaScriptEnabled: false },
] as const) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test(`somebody new gets a place in the ${name}`, async ({ page, server }) => {
      test.slow();
      server.seed();
      const person = newPerson();
      await page.goto(`/${program}/apply`);
      await page.getByRole('main').getByRole('link', { name: 'Apply now' }).first().click();
      await fillRegistration(registerDialog(page), person);
      await registerDialog(page).getByRole('button', { name: 'Create account' }).click();
      await expect(page).toHaveURL(`/${program}/application`);
      await answerEverything(page, program);
      const reference = await submit(page);

      const copy = page.waitForEvent('download');
      await page.getByRole('link', { name: /PDF copy/ }).click();
      const file = await copy;
      expect(file.suggestedFilename()).toBe(`application-${reference}.pdf`);
      expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

      await page.goto('/dashboard/documents');
      if (javaScriptEnabled) await hydrated(page);
      const content = pdf(50_000);
      await identity(page)
        .getByLabel(/^Choose files/)
        .setInputFiles({ name: 'identity.pdf', mimeType: 'application/pdf', buffer: content });
      if (!javaScriptEnabled) await identity(page).getByRole('button', { name: 'Send' }).click();
      await expect(identity(page).locator('.MuiChip-root')).toHaveText('Received', { timeout: 20_000 });
      await expectSaved(page, 'identity.pdf', content);

      await page.goto('/dashboard');
      await page.getByRole('link', { name: 'Choose a time' }).click();
      await page.locator('button[name="startsAt"]').first().click();
      await page.getByRole('button', { name: 'Book my interview' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Thank you. Your interview is booked.',
      );

      accept(server, reference, 16, ['A demo condition']);
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      await expect(page.getByRole('heading', { name: 'Reply to our offer' })).toBeVisible();
      await page.getByText('Accept the offer', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, accept the offer' }).click();
      await expect(page.getByRole('heading', { name: 'Offer accepted' })).toBeVisible();

      // Every mail of the journey can be read again.
      await page.goto('/dashboard/messages');
      for (const subject of ['We have your application', 'Interview booked', 'We have your reply']) {
        await expect(page.getByRole('link', { name: subject }).first()).toBeVisible();
      }
    });
  });
}

test('on a line that drops every few seconds, nothing is lost on the way to the submission', async ({
  page,
  applicant,
}) => {
  test.setTimeout(180_000);
  await openSection(page, 'about-you');
  const over = new AbortController();
  const weather = (async () => {
    for (let round = 0; !over.signal.aborted; round += 1) {
      await page.waitForTimeout(1500 + (round % 3) * 400);
      expectComplaint(/net::ERR_/);
      await page.context().setOffline(true);
      await page.waitForTimeout(900 + (round % 4) * 200);
      await page.context().setOffline(false);
    }
  })();

  // Only by links and buttons: a loaded page keeps working, whatever the connection does.
  await jobTitleInPieces(page);
  over.abort();
  await weather;
  await saved(page);
  const { data } = await storedApplication(page.request, applicant);
  expect(data.employment.currentEmployer).toMatchObject({ name: 'Demo Works', jobTitle: 'Chief demo coach' });
  expect(data.personalInfo.state).toBe('TX');
});

/** Types like a person, with pauses, over several sections. */
async function jobTitleInPieces(page: Page): Promise<void> {
  await page.getByLabel('In which state do you live?').selectOption('TX');
  for (const title of ['Military and DoD', 'Education', 'Employment']) {
    await page
      .getByRole('button', { name: /^Save and (continue|check your answers)$/ })
      .click({ timeout: 30_000 });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title, { timeout: 30_000 });
  }
  const employer = page.getByRole('group', { name: 'Your current employer' });
  await employer.getByLabel('Employer name').pressSequentially('Demo Works', { delay: 250 });
  await employer.getByLabel('Job title').pressSequentially('Chief demo coach', { delay: 300 });
}

test('a browser that is closed in the middle of a word has it when it is opened again', async ({
  browser,
  server,
  page,
  applicant,
}) => {
  await openSection(page, 'employment');
  await page.route('**/api/**', () => undefined);
  await jobTitle(page).pressSequentially('Chief demo co', { delay: 30 });
  // What a browser keeps: cookies and storage. The last input was never sent.
  const storageState = await page.context().storageState();
  await page.close();
  expect((await storedApplication(page.request, applicant)).data.employment.currentEmployer.jobTitle).toBe(
    '',
  );

  const context = await browser.newContext({ baseURL: server.url, storageState });
  const again = await context.newPage();
  await again.goto(sectionPath('employment'));
  await expect(jobTitle(again)).toHaveValue('Chief demo co');
  await saved(again);
  await context.close();
});
