// An applicant and the office exchange messages: the question creates a task, the answer a mail. Neither needs
// JavaScript.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { desk } from './support/desk';
import { mailsTo } from './support/mailbox';
import { newPerson, submitLogin, submittedByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a question is answered with a snippet, and the applicant reads it', async ({
      browser,
      ownServer,
      playwright,
    }) => {
      const baseURL = ownServer.url;
      const request = await playwright.request.newContext({ baseURL });
      const person = newPerson();
      await submittedByApi(request, person);
      const [applicant, staff] = await Promise.all(
        [1, 2].map(async () => (await browser.newContext({ baseURL, javaScriptEnabled })).newPage()),
      );
      const heard = [complaints(applicant!), complaints(staff!)];
      const [one, two] = [applicant!, staff!];
      const ready = async (page: typeof one) => {
        if (!javaScriptEnabled) return;
        await hydrated(page);
        await expectAccessible(page);
      };

      // The question.
      await one.goto('/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fmessages');
      await submitLogin(one, person);
      await expect(one.getByRole('heading', { name: 'Your conversation with us' })).toBeVisible();
      await one.getByRole('button', { name: 'Send the message' }).click();
      await expect(one.getByRole('alert')).toContainText('Write something first.');
      await one.getByLabel('Your message').fill('May I send the transcript\nin December?');
      await one.getByRole('button', { name: 'Send the message' }).click();
      await expect(one.getByText('Your message has been sent.')).toBeVisible();
      await ready(one);

      // A snippet, the task, and the answer.
      await logInStaff(two, newOwner(ownServer));
      await two.goto('/admin-panel/settings/snippets');
      await two.getByLabel('Name').fill('Later papers');
      await two.getByLabel('In English').fill('Dear {firstName}, December is fine.');
      await two.getByRole('button', { name: 'Save' }).first().click();
      await expect(two.getByText('It holds from now on.')).toBeVisible();
      await two.goto('/admin-panel/work?whose=unassigned');
      await two.getByRole('link', { name: 'Answer the applicant' }).click();
      await expect(two.getByRole('listitem').filter({ hasText: 'May I send the transcript' })).toBeVisible();
      await ready(two);
      await two.getByText('Snippets', { exact: true }).click();
      await two.getByRole('link', { name: 'Later papers' }).click();
      const message = two.getByLabel('Message', { exact: true });
      await expect(message).toHaveValue(`Dear ${person.firstName}, December is fine.`);
      await message.fill(`Dear ${person.firstName}, December is fine. See you then.`);
      await two.getByRole('button', { name: 'Send the message' }).click();
      await expect(two.getByText('The message is sent.')).toBeVisible();
      await expect(two.getByRole('listitem').filter({ hasText: 'See you then.' })).toContainText(
        'Not read yet',
      );
      await two.goto('/admin-panel/work?whose=unassigned');
      await expect(two.getByRole('link', { name: 'Answer the applicant' })).toHaveCount(0);

      // The answer has been read, and the office sees that.
      const mails = await mailsTo(request, person.email);
      expect(mails.map(({ subject }) => subject)).toContain('There is a message for you');
      await one.goto('/dashboard/messages');
      await expect(one.getByRole('listitem').filter({ hasText: 'See you then.' })).toContainText('New');
      await ready(one);
      await two.goBack();
      await two.reload();
      await expect(two.getByRole('listitem').filter({ hasText: 'See you then.' })).toContainText('Read ');
      const complained = heard.flat().filter((each) => !each.includes('status of 422'));
      // Without JavaScript, browsers report for each script that it is blocked.
      if (javaScriptEnabled) expect(complained).toEqual([]);
      await request.dispose();
    });
  });
}

test('an @ in a note suggests whom to tell, by keyboard', async ({ browser, baseURL, server, request }) => {
  const { reference } = await submittedByApi(request, newPerson());
  const { email } = newOwner(server);
  const page = await desk(browser, baseURL!, server, 'owner', reference, true);
  await page.getByRole('link', { name: 'Notes', exact: true }).click();
  await hydrated(page);
  const note = page.getByLabel('New note');
  const names = page.getByRole('listbox', { name: 'Who can be mentioned' });
  await note.pressSequentially(`Look, @${email.slice(0, -3)}`);
  await expect(page.getByRole('option', { name: `@${email}`, exact: true })).toBeVisible();
  await expectAccessible(page);
  await note.press('Enter');
  await expect(note).toHaveValue(`Look, @${email} `);
  await expect(names).toHaveCount(0);
  await note.pressSequentially('@');
  await expect(names).toBeVisible();
  await note.press('ArrowDown');
  await note.press('ArrowUp');
  await expect(names.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await note.press('Escape');
  await expect(names).toHaveCount(0);
});
