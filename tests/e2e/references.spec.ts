// References: staff ask for them, an applicant names a referee, who writes through a link, and staff read it.

import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { ownersPage } from './support/desk';
import { expectSaved, pdf } from './support/files';
import { linkTo, mailsTo } from './support/mailbox';
import { newPerson } from './support/people';
import { askForReferences, nameForm, nameReferee, QUESTION } from './support/references';
import type { Server } from './support/server';
import { logInStaff, newStaff, tab } from './support/staff';
import { complete, submit } from './support/submission';
import { expect, test as base } from './support/test';

// What is published here would be asked in all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

const PATH = '/dashboard/references';
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const mailCount = async (page: Page, email: string) => (await mailsTo(page.request, email)).length;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const accessible = async (shown: Page) => {
      if (!javaScriptEnabled) return;
      await hydrated(shown);
      await expectAccessible(shown);
    };

    /** Until what is typed is not lost. */
    const settled = async (shown: Page) => {
      if (javaScriptEnabled) await hydrated(shown);
    };

    /** Somebody else's browser. */
    const elsewhere = (browser: Browser, server: Server) =>
      browser.newPage({ baseURL: server.url, javaScriptEnabled });

    test('a referee is named and asked, writes and sends a letter, and staff read it', async ({
      page,
      ownServer,
      browser,
    }) => {
      test.slow();
      const [person, email] = [newPerson(), newPerson().email];
      const office = await ownersPage(browser, ownServer, javaScriptEnabled);
      await askForReferences(office, accessible);
      await office.close();

      // Nothing is missing but a referee.
      await complete(page.request, person);
      await page.goto('/bachelor/application/check');
      await page.getByRole('link', { name: 'Name a referee on your references page.' }).click();
      await expect(page).toHaveURL(PATH);
      await expect(heading(page)).toHaveText('Your references');
      await accessible(page);
      await button(page, 'Name this referee').click();
      await expect(page.getByRole('alert')).toContainText('right to read the reference');
      await expect(nameForm(page).getByLabel('Name', { exact: true })).toHaveAttribute(
        'aria-invalid',
        'true',
      );
      await accessible(page);
      await nameReferee(page, email, /^Yes, I waive my right/);
      await expect(page.getByRole('status').first()).toContainText('Your referee is on the list.');
      const entry = page.getByRole('region', { name: 'Demo Referee', exact: true });
      await expect(entry).toContainText('Not asked yet');
      await accessible(page);
      expect(await mailCount(page, email), 'nobody is asked by being named').toBe(0);
      await page.goto('/bachelor/application/check');
      await submit(page);
      await expect.poll(() => mailCount(page, email)).toBe(1);
      await page.goto(PATH);
      await expect(entry.locator('.MuiChip-root')).toHaveText('Asked');
      await accessible(page);

      const referee = await elsewhere(browser, ownServer);
      const link = await linkTo(referee.request, email);
      await referee.goto(link);
      await expect(heading(referee)).toHaveText('Reference for Demo Person');
      await expect(referee.getByRole('main')).toContainText('has waived the right to read what you write');
      await accessible(referee);
      await button(referee, 'Send the reference').click();
      await expect(referee.getByRole('alert')).toBeVisible();
      await expect(referee.getByLabel(QUESTION)).toHaveAttribute('aria-invalid', 'true');
      await accessible(referee);
      await referee.getByLabel(QUESTION).fill('They listen & ask <well>.');
      const letter = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: pdf(30_000) };
      const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
      const file = referee.locator('input[type=file]');
      await file.setInputFiles(note);
      await button(referee, 'Save and go on later').click();
      await expect(referee.getByRole('alert')).toContainText('Allowed types: PDF');
      await expect(referee.getByLabel(QUESTION)).toHaveValue('They listen & ask <well>.');
      await accessible(referee);
      await file.setInputFiles(letter);
      await button(referee, 'Save and go on later').click();
      await expect(referee.getByRole('status').first()).toContainText('Saved.');
      await accessible(referee);
      await referee.close();

      // Later, in another browser.
      const later = await elsewhere(browser, ownServer);
      await later.goto(link);
      await expect(later.getByLabel(QUESTION)).toHaveValue('They listen & ask <well>.');
      await expect(later.getByRole('main')).toContainText('letter.pdf');
      await button(later, 'Send the reference').click();
      await expect(heading(later)).toHaveText('Thank you, Demo Referee');
      await accessible(later);
      await later.goto(link);
      await expect(heading(later)).toHaveText('Thank you, Demo Referee');
      await later.close();

      // The applicant sees that it came, and not what it says.
      await expect
        .poll(async () => (await mailsTo(page.request, person.email))[0]!.text)
        .toContain('Demo Referee');
      await page.goto(PATH);
      await expect(entry.locator('.MuiChip-root')).toHaveText('Received');
      await expect(page.getByRole('main')).not.toContainText('They listen');
      await expect(page.getByRole('main')).not.toContainText('letter.pdf');
      await accessible(page);
      await page.goto('/dashboard');
      await expect(page.getByText('1 of 1 reference received')).toBeVisible();
      await accessible(page);

      const desk = await elsewhere(browser, ownServer);
      await logInStaff(desk, newStaff(ownServer, 'reviewer'));
      await desk.goto('/admin-panel/applications?tab=all');
      await desk
        .getByRole('link', { name: /^Demo / })
        .first()
        .click();
      await tab(desk, 'Documents').click();
      const references = desk.getByRole('region', { name: /^References/ });
      await expect(references).toContainText('Demo Referee');
      await expect(references).toContainText('The applicant waived the right to read it.');
      await references.getByText(/^Answers/).click();
      await expect(references).toContainText(QUESTION);
      await expect(references.getByText('They listen & ask <well>.')).toBeVisible();
      await accessible(desk);
      await expectSaved(desk, 'letter.pdf', letter.buffer);
      await desk.close();
    });

    test('a referee declines and thinks better of it, and who kept the right reads what they write', async ({
      page,
      ownServer,
      browser,
    }) => {
      test.slow();
      const [person, email] = [newPerson(), newPerson().email];
      const office = await ownersPage(browser, ownServer, javaScriptEnabled);
      await askForReferences(office, settled);
      await office.close();
      await complete(page.request, person);
      await page.goto(PATH);
      await nameReferee(page, email, /^No, I keep my right/);
      const entry = page.getByRole('region', { name: 'Demo Referee', exact: true });
      await expect(entry).toContainText('Not asked yet');
      if (javaScriptEnabled) await hydrated(page);
      await button(page, /^Ask them now/).click();
      await expect(page.getByRole('status').first()).toContainText('We have written to your referee.');
      await expect.poll(() => mailCount(page, email)).toBe(1);

      const referee = await elsewhere(browser, ownServer);
      const link = await linkTo(referee.request, email);
      await referee.goto(link);
      await expect(referee.getByRole('main')).toContainText('has kept the right to read what you write');
      if (javaScriptEnabled) await hydrated(referee);
      await referee.getByText('I cannot give this reference').click();
      await referee.getByLabel('Why not? (optional)').fill('I hardly know them.');
      await button(referee, 'I cannot give it').click();
      await expect(heading(referee)).toHaveText('You have declined');
      await accessible(referee);
      await page.goto(PATH);
      await expect(entry.locator('.MuiChip-root')).toHaveText('Declined');
      await expect(page.getByRole('main')).not.toContainText('hardly');
      await accessible(page);

      await button(referee, 'I can give it after all').click();
      await expect(referee.getByRole('status').first()).toContainText('Write now, or later');
      await referee.getByLabel(QUESTION).fill('They ask well.');
      await button(referee, 'Send the reference').click();
      await expect(heading(referee)).toHaveText('Thank you, Demo Referee');
      await page.goto(PATH);
      await expect(entry.locator('.MuiChip-root')).toHaveText('Received');
      await page.getByText('Read the reference').click();
      await expect(entry.getByText('They ask well.')).toBeVisible();
      await accessible(page);

      // Another one is removed: their link says that nothing is needed any more.
      const other = newPerson().email;
      if (javaScriptEnabled) await hydrated(page);
      await page.getByText('Name one more').click();
      await nameReferee(page, other, /^No, I keep my right/);
      await button(page, /^Ask them now/).click();
      await expect.poll(() => mailCount(page, other)).toBe(1);
      // Whoever was asked is removed in two steps.
      const asked = page.locator('details').filter({ hasText: 'Remove Demo Referee' });
      await asked.locator('summary').click();
      await asked.getByRole('button').click();
      await expect(page.getByRole('status').first()).toContainText('Your referee was removed.');
      await referee.goto(await linkTo(referee.request, other));
      await expect(heading(referee)).toHaveText('This reference is no longer needed');
      await accessible(referee);
      await referee.goto('/reference?token=abc');
      await accessible(referee);
      await referee.close();
    });
  });
}
