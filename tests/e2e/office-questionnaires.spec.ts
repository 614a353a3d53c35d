// The questions of a program: written, previewed as an applicant, published and reverted.

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { newPerson, registerByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test as base } from './support/test';

// What is published here would be asked in all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

const question = (page: Page, number: number) =>
  page.getByRole('group', { name: new RegExp(`^${number}\\. `) });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('questions are written, previewed, published and gone back to', async ({
      page,
      ownServer,
      playwright,
    }) => {
      test.slow();
      const heard = complaints(page);
      const applicant = await playwright.request.newContext({ baseURL: ownServer.url });
      await registerByApi(applicant, newPerson(), 'ba');
      await logInStaff(page, newOwner(ownServer));
      const menu = page.getByRole('navigation', { name: 'Office' });
      await menu.getByRole('link', { name: 'Questionnaires' }).click();
      const published = page.getByRole('region', { name: 'Versions of the Bachelor’s program', exact: true });
      await expect(published.getByRole('row', { name: /Version 1/ })).toContainText('Published');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('link', { name: 'Write other questions for the Bachelor’s program' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Questions of the Bachelor’s program');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }

      // A choice with two options, asked after a Yes: invalid at first, and no input is lost.
      const count = await page.locator('.question-list > li').count();
      await page.getByRole('button', { name: 'Add a question', exact: true }).click();
      const added = question(page, count + 1);
      await expect(added).toBeVisible();
      await added.getByLabel('Question', { exact: true }).fill('Which days suit you?');
      await added.getByLabel('Type').selectOption('choice');
      await page.getByRole('button', { name: 'Save and publish…' }).click();
      await expect(page.getByRole('alert')).toContainText('Offer at least 2 options');
      const now = question(page, count + 1);
      await expect(now.getByLabel('Question', { exact: true })).toHaveValue('Which days suit you?');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
        await now.getByRole('button', { name: 'Add an option' }).click();
        await now.getByRole('button', { name: 'Add an option' }).click();
      }
      await now.getByLabel('Option 1', { exact: true }).fill('Weekdays');
      await now.getByLabel('Option 2', { exact: true }).fill('Weekends');
      await now.getByLabel('Asked only after').selectOption({ index: 1 });
      const condition = await now.getByLabel('Asked only after').inputValue();
      await page.getByRole('button', { name: 'Save the draft' }).last().click();
      await expect(page.getByRole('status').first()).toContainText('The draft is saved.');
      await expect(question(page, count + 1).getByLabel('Asked only after')).toHaveValue(condition);

      // Moved with its buttons, removed, and restored.
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('button', { name: 'Move down question 1', exact: true }).click();
      await expect(question(page, 2)).toContainText('Why do you want to study coaching?');
      await page.getByRole('button', { name: 'Remove question 2', exact: true }).click();
      await expect(question(page, 2)).toContainText('Removed.');
      await page.getByRole('button', { name: 'Bring back question 2', exact: true }).click();
      await expect(question(page, 2).getByLabel('Question', { exact: true })).toBeVisible();

      await page.getByRole('button', { name: 'Save and preview' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('As an applicant sees it');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByLabel('How many hours a week can you study?').fill('200');
      await page.getByRole('button', { name: 'Check these answers' }).click();
      await expect(page.getByRole('alert')).toContainText('The number must be between 1 and 80.');
      await expect(page.getByLabel('How many hours a week can you study?')).toHaveValue('200');

      await page.getByRole('link', { name: 'Back to the draft' }).click();
      await page.getByRole('button', { name: 'Save and publish…' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Publish these questions?');
      await expect(page.getByRole('main')).toContainText('One application that can still be changed');
      await expect(page.getByRole('list', { name: 'What changes' })).toContainText('Which days suit you?');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByRole('button', { name: 'Publish, for one application' }).click();
      await expect(page.getByRole('status').first()).toContainText('The questions are published.');
      const asked = await applicant.get('/bachelor/application/questions');
      expect(await asked.text()).toContain('Which days suit you?');

      await published
        .getByRole('row', { name: /Version 1/ })
        .getByRole('link', { name: /Go back to/ })
        .click();
      await page.getByRole('button', { name: 'Go back, for one application' }).click();
      await expect(published.getByRole('row', { name: /Version 3/ })).toContainText('as version 1');
      await published.getByRole('button', { name: 'Archive version 2' }).click();
      await expect(page.getByRole('status').first()).toContainText('The version is archived.');
      await expect(page.getByText('1 archived')).toBeVisible();
      await applicant.dispose();
      if (javaScriptEnabled) expect(heard).toEqual([]);
    });

    test('a question is translated as a whole', async ({ page, ownServer, playwright }) => {
      test.slow();
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/questionnaires/bachelor');
      if (javaScriptEnabled) await hydrated(page);
      const first = () => question(page, 1);
      await first().getByText('In Spanish', { exact: true }).click();
      await expect(first().getByLabel('Question in Spanish')).toHaveValue(
        '¿Por qué quiere estudiar coaching?',
      );
      await first().getByLabel('Question in Spanish').fill('¿Por qué coaching?');
      await first().getByLabel('Help in Spanish').fill('');
      await page.getByRole('button', { name: 'Save and publish…' }).click();
      await expect(page.getByRole('alert')).toContainText('Translate the help, too.');
      await expect(first().getByLabel('Question in Spanish')).toHaveValue('¿Por qué coaching?');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await first().getByLabel('Help in Spanish').fill('En pocas palabras.');
      await page.getByRole('button', { name: 'Save and preview' }).click();
      const languages = page.getByRole('navigation', { name: 'Language of the preview' });
      await languages.getByRole('link', { name: 'Spanish' }).click();
      await expect(page.getByLabel('¿Por qué coaching?')).toBeVisible();
      await expect(page.getByText('A tiempo completo')).toBeAttached();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByRole('link', { name: 'Back to the draft' }).click();
      await page.getByRole('button', { name: 'Save and publish…' }).click();
      const changes = page.getByRole('list', { name: 'What changes' });
      await expect(changes).toContainText('Question in Spanish');
      await page.getByRole('button', { name: /^Publish/ }).click();
      await expect(page.getByRole('status').first()).toContainText('The questions are published.');
      const applicant = await playwright.request.newContext({
        baseURL: ownServer.url,
        extraHTTPHeaders: { 'Accept-Language': 'es' },
      });
      await registerByApi(applicant, newPerson(), 'ba');
      const asked = await applicant.get('/bachelor/application/questions');
      expect(await asked.text()).toContain('¿Por qué coaching?');
      await applicant.dispose();
    });

    test('two who write at once see both', async ({
      page,
      ownServer,
      browser,
      baseURL,
      extraHTTPHeaders,
    }) => {
      const [one, other] = [newOwner(ownServer), newOwner(ownServer)];
      const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled, extraHTTPHeaders });
      const theirs = await context.newPage();
      for (const [who, at] of [
        [one, page],
        [other, theirs],
      ] as const) {
        await logInStaff(at, who);
        await at.goto('/admin-panel/questionnaires/masters');
        if (javaScriptEnabled) await hydrated(at);
      }
      await question(theirs, 1).getByLabel('Question', { exact: true }).fill('Theirs?');
      await theirs.getByRole('button', { name: 'Save the draft' }).last().click();
      await expect(theirs.getByRole('status').first()).toContainText('The draft is saved.');
      await question(page, 1).getByLabel('Question', { exact: true }).fill('Mine?');
      await page.getByRole('button', { name: 'Save the draft' }).last().click();
      const both = page.getByRole('list', { name: 'Yours and theirs' });
      await expect(both).toContainText('Mine?');
      await expect(both).toContainText('Theirs?');
      await expect(question(page, 1).getByLabel('Question', { exact: true })).toHaveValue('Mine?');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByRole('button', { name: 'Save the draft' }).last().click();
      await expect(page.getByRole('status').first()).toContainText('The draft is saved.');
      await theirs.reload();
      await expect(question(theirs, 1).getByLabel('Question', { exact: true })).toHaveValue('Mine?');
      await context.close();
    });
  });
}

test('questions are moved by dragging and by keyboard', async ({ page, ownServer }) => {
  await logInStaff(page, newOwner(ownServer));
  await page.goto('/admin-panel/questionnaires/bachelor');
  await hydrated(page);
  const first = await question(page, 1).getByLabel('Question', { exact: true }).inputValue();
  await page.setViewportSize({ width: 1280, height: 2000 });
  await question(page, 1).getByText('Drag').dragTo(question(page, 2).getByText('Drag'));
  await expect(question(page, 2).getByLabel('Question', { exact: true })).toHaveValue(first);
  await page.getByRole('button', { name: 'Move up question 2', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(question(page, 1).getByLabel('Question', { exact: true })).toHaveValue(first);
  await expect(page.getByText('Question 2 is now question 1.')).toBeAttached();
  // Leaving with unsaved changes asks for confirmation.
  await page.getByRole('link', { name: 'All questionnaires' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/admin-panel/questionnaires/bachelor');
  await expect(question(page, 1).getByLabel('Question', { exact: true })).toHaveValue(first);
});
