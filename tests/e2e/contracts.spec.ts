// From an accepted offer to enrolment, and the public page for verifying the contract: the same with and without
// JavaScript.

import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { named, OFFICE } from './support/contract';
import { accept } from './support/office';
import { bearer, newPerson, submittedByApi } from './support/people';
import { planToPay } from './support/plan';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('somebody plans how to pay, signs, meets a condition, pays, and is enrolled', async ({
      page,
      context,
      server,
      browser,
      baseURL,
    }) => {
      test.slow();
      const person = { ...newPerson(), lastName: `Contract${javaScriptEnabled ? 'script' : 'plain'}` };
      const { reference } = await submittedByApi(context.request, person);
      accept(server, reference, 16, ['A diploma']);
      await planToPay(page, '800', '1,000');
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'We are preparing your contract' })).toBeVisible();

      const owner = newOwner(server);
      const office = await browser.newContext({
        baseURL: baseURL!,
        javaScriptEnabled,
        extraHTTPHeaders: { 'X-Forwarded-For': javaScriptEnabled ? '10.99.1.1' : '10.99.1.2' },
      });
      const desk = await office.newPage();
      await named(desk, owner);
      await desk.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
      await desk.getByRole('link', { name: `Demo ${person.lastName}` }).click();
      const tabs = desk.getByRole('navigation', { name: 'Parts of the application' });
      await tabs.getByRole('link', { name: 'Contract' }).click();
      await expect(desk).toHaveURL(/\/contract/);
      await desk.getByRole('button', { name: 'Prepare a contract' }).click();
      const draft = desk.getByRole('article', { name: 'The contract as it would be' });
      await expect(draft).toContainText(`Demo ${person.lastName}`);
      await expect(draft).toContainText('$24,800');
      if (javaScriptEnabled) {
        await hydrated(desk);
        await expectAccessible(desk);
      }
      await desk.getByRole('button', { name: 'Send it to the applicant' }).click();
      await expect(desk.getByRole('status').first()).toContainText('The contract is sent.');
      if (javaScriptEnabled) await expectAccessible(desk);

      // The applicant reads and signs.
      await page.goto('/dashboard');
      await page.getByRole('link', { name: 'Read the contract' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Your contract');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      const paper = page.getByRole('article', { name: 'The contract' });
      await expect(paper.getByRole('heading', { name: 'Your right to cancel' })).toBeVisible();
      await expect(paper.getByRole('table').first()).toContainText('$24,800');
      await page.getByRole('button', { name: 'I agree to sign electronically' }).click();
      await expect(page.getByRole('status')).toContainText('You agreed to sign electronically.');
      await page.getByRole('link', { name: 'Go to the signature' }).click();
      await expect(page.getByRole('heading', { name: 'Sign', exact: true })).toBeInViewport();
      await page.getByRole('button', { name: 'Sign the contract' }).click();
      await expect(page.getByRole('alert')).toContainText('Type your full name.');
      await page.getByLabel('I have read the whole contract').check();
      await page.getByLabel('Your full name').fill('Somebody Else');
      await page.getByLabel('Current password', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Sign the contract' }).click();
      await expect(page.getByRole('alert')).toContainText('Type your name as it is in your account');
      await expect(page.getByLabel('Your full name')).toHaveValue('Somebody Else');
      await expect(page.getByLabel('I have read the whole contract')).toBeChecked();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByLabel('Your full name').fill(`Demo ${person.lastName}`);
      await page.getByLabel('Current password', { exact: true }).fill(person.password);
      await page.getByLabel('Current password', { exact: true }).press('Enter');
      await expect(page.getByRole('status')).toContainText('You have signed.');

      // The institute signs.
      await desk.reload();
      await desk.getByRole('button', { name: 'Countersign the contract' }).click();
      await expect(desk.getByRole('alert')).toContainText('Type your name.');
      await desk.getByLabel('I have read the contract').check();
      await desk.getByLabel('Your name', { exact: true }).fill(OFFICE);
      await desk.getByRole('button', { name: 'Countersign the contract' }).click();
      await expect(desk.getByRole('status').first()).toContainText('The contract is countersigned.');
      if (javaScriptEnabled) {
        await hydrated(desk);
        await expectAccessible(desk);
      }

      await page.goto('/dashboard');
      await expect(page.getByText('Your first payment of $800 is due on')).toBeVisible();

      // The condition and the first payment remain.
      await tabs.getByRole('link', { name: 'Decision' }).click();
      await desk.getByRole('link', { name: 'What became of the conditions' }).click();
      await desk.getByRole('link', { name: 'Note what became of it (condition 1)' }).click();
      await desk.getByRole('button', { name: 'Keep this' }).click();
      await expect(desk.getByLabel('What shows it, or why')).toHaveAccessibleDescription(/Write what shows/);
      if (javaScriptEnabled) {
        await hydrated(desk);
        await expectAccessible(desk);
      }
      await desk.getByLabel('What shows it, or why').fill('A certified copy came.');
      await desk.getByRole('button', { name: 'Keep this' }).click();
      await expect(desk.getByRole('listitem').filter({ hasText: 'A diploma' })).toContainText('Met');
      if (javaScriptEnabled) {
        await hydrated(desk);
        await expectAccessible(desk);
      }
      await tabs.getByRole('link', { name: 'Funding', exact: true }).click();
      await desk.getByRole('link', { name: 'Note a payment' }).click();
      await desk.getByLabel('Purpose').selectOption('instalment-1');
      await desk.getByLabel('Amount').fill('800');
      await desk.getByRole('button', { name: 'Note the payment' }).click();
      await expect(desk.getByText('It is written into the ledger.')).toBeVisible();

      // That was the last step: enrolment is automatic. The applicant keeps the copy, and anybody can verify it.
      await page.goto('/dashboard');
      const welcome = page.getByRole('region', { name: /You are enrolled in the Bachelor’s program/ });
      await expect(welcome).toContainText(/Your next payment\$\d/);
      await expect(welcome.getByRole('link', { name: 'Letter of acceptance' })).toBeVisible();
      await expect(page.getByText(/^It is your turn by .*: your next payment/)).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByRole('link', { name: 'Payments' }).first().click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your payments');
      await expect(page.getByRole('listitem').filter({ hasText: 'Payment 1' }).first()).toContainText('Paid');
      await page.goto('/dashboard');
      await page.getByRole('link', { name: 'Your signed contract' }).click();
      const file = await context.request.get('/dashboard/contract.pdf');
      expect(file.headers()['content-type']).toBe('application/pdf');
      const bytes = await file.body();
      const address = await page
        .getByRole('link', { name: 'Check that it is unchanged' })
        .getAttribute('href');
      const stranger = await browser.newContext({
        baseURL: baseURL!,
        javaScriptEnabled,
        extraHTTPHeaders: { 'X-Forwarded-For': javaScriptEnabled ? '10.99.1.3' : '10.99.1.4' },
      });
      const check = await stranger.newPage();
      await check.goto(address!);
      await expect(check.getByText('Signed by both sides, unchanged, and in force')).toBeVisible();
      await expect(check.getByText(`Demo ${person.lastName}`)).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(check);
        await expectAccessible(check);
      }
      const choose = async (content: Buffer) => {
        const chosen = { name: 'contract.pdf', mimeType: 'application/pdf', buffer: content };
        await check.getByLabel('The file (PDF)').setInputFiles(chosen);
        await check.getByRole('button', { name: 'Compare the file' }).click();
      };
      await choose(bytes);
      await expect(check.getByRole('status')).toContainText('byte for byte');
      await choose(Buffer.concat([bytes, Buffer.from(' ')]));
      await expect(check.getByRole('status')).toContainText('This is not the signed file.');
      await check.getByLabel('SHA-256 of the file').fill('abc');
      await check.getByRole('button', { name: 'Compare the hash' }).click();
      await expect(check.getByRole('alert')).toContainText('64 characters');
      if (javaScriptEnabled) await expectAccessible(check);
      await stranger.close();
      await office.close();
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'in Spanish' : 'in Spanish, without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a contract comes with a translation, and says which text counts', async ({
      page,
      context,
      server,
      browser,
      baseURL,
    }) => {
      test.slow();
      const person = { ...newPerson(), lastName: `Traducido${javaScriptEnabled ? 'script' : 'plano'}` };
      const { reference, token } = await submittedByApi(context.request, person);
      accept(server, reference, 16);
      await planToPay(page, '800', '1,000');
      const office = await browser.newContext({
        baseURL: baseURL!,
        javaScriptEnabled,
        extraHTTPHeaders: { 'X-Forwarded-For': javaScriptEnabled ? '10.99.2.1' : '10.99.2.2' },
      });
      const changed = await context.request.patch('/api/users/profile', {
        data: { language: 'es' },
        headers: bearer(token),
      });
      expect(changed.status(), await changed.text()).toBe(200);
      const desk = await office.newPage();
      await logInStaff(desk, newOwner(server));
      await desk.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
      await desk.getByRole('link', { name: `Demo ${person.lastName}` }).click();
      await desk
        .getByRole('navigation', { name: 'Parts of the application' })
        .getByRole('link', { name: 'Contract' })
        .click();
      await desk.getByRole('button', { name: 'Prepare a contract' }).click();
      const draft = desk.getByRole('article', { name: 'The contract as it would be' });
      await expect(draft.getByRole('heading', { name: 'Language of this contract' })).toBeVisible();
      await draft.getByText('Translation: Español').click();
      await expect(draft.getByRole('heading', { name: 'Hoja de costos' })).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(desk);
        await expectAccessible(desk);
      }
      await desk.getByRole('button', { name: 'Send it to the applicant' }).click();
      await expect(desk.getByRole('status').first()).toContainText('The contract is sent.');

      await context.addCookies([{ name: 'language', value: 'es', url: baseURL! }]);
      await page.goto('/dashboard/contract');
      const paper = page.getByRole('article', { name: 'El contrato' });
      await expect(paper).toContainText('Esto es una traducción.');
      await expect(paper.getByRole('heading', { name: 'Su derecho a cancelar' })).toBeVisible();
      const counts = paper.getByRole('heading', { name: 'Your right to cancel' });
      await expect(counts).toBeHidden();
      await paper.getByText('El texto que prevalece: English').click();
      await expect(counts).toBeVisible();
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await office.close();
    });
  });
}

test('a template is drafted, looked at and published', async ({ page, context, server }) => {
  test.slow();
  const person = { ...newPerson(), lastName: 'Templated' };
  const { reference } = await submittedByApi(context.request, person);
  accept(server, reference, 16);
  await logInStaff(page, newOwner(server));
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Contracts' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contracts');
  await hydrated(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Master’s program' }).click();
  const text = page.getByRole('textbox', { name: 'English', exact: true });
  const starter = await text.inputValue();
  await text.fill(starter.replace('{institute}', '{password}'));
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('There is no field {password}.');
  await hydrated(page);
  await expectAccessible(page);
  await text.fill(starter);
  await page.getByLabel('Reference number of an application').fill(reference);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('alert')).toContainText('This application is for the other program.');
  await page.goto('/admin-panel/contracts/templates/bachelor');
  await page.getByLabel('Reference number of an application').fill(reference);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('article', { name: 'Preview' })).toContainText('Demo Templated');
  await hydrated(page);
  await expectAccessible(page);
  // A mistake is reported once, and publishing shows what will change.
  const own = await text.inputValue();
  await text.fill(own.replace('{institute}', '{password}'));
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await expect(page.getByRole('alert')).toContainText('The draft is saved. It cannot be published');
  await expect(page.getByText('Contracts are written from it once it is published.')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'English', exact: true }).fill(`${own}\nThe end.`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const publication = page.getByRole('region', { name: 'Publish this draft?' });
  await expect(publication.getByRole('insertion')).toContainText('The end.');
  await hydrated(page);
  await expectAccessible(page);
  await publication.getByRole('button', { name: 'Publish version 1' }).click();
  await expect(page.getByText('The template is published.')).toBeVisible();
  // A translation with missing fields is reported next to its text, and another text can become the binding one.
  const spanish = page.getByRole('textbox', { name: 'Spanish', exact: true });
  const translated = await spanish.inputValue();
  await spanish.fill(translated.replace('{contactEmail}', 'nosotros'));
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await expect(page.getByRole('alert')).toContainText(
    '{contactEmail} is filled into the other text and not here.',
  );
  await page.getByRole('textbox', { name: 'Spanish', exact: true }).fill(translated);
  await page.getByRole('radio', { name: 'Spanish' }).check();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Publish this draft?' })).toContainText(
    'The text in Spanish counts, and no longer the one in English.',
  );
});
