// Acts on several applications: written, reviewed, and done.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { bearer, newPerson, submittedByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });
    const lastName = (what: string) => `${what}${javaScriptEnabled ? 'script' : 'plain'}`;

    test('several applicants are written to after a look', async ({ page, server, playwright, baseURL }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = () => ({ ...newPerson(), lastName: lastName('Mailed') });
      const first = await submittedByApi(request, person());
      const second = await submittedByApi(request, person());
      await logInStaff(page, newOwner(server));
      await page.goto(`/admin-panel/applications?tab=all&q=${lastName('Mailed')}&pageSize=1`);
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      if (javaScriptEnabled) {
        await page.getByRole('checkbox', { name: 'Choose all of this page' }).check();
      } else {
        // Without a selection nothing happens, and the page says so.
        await page.getByRole('button', { name: 'Write a mail…' }).click();
        await expect(page.getByRole('alert')).toContainText('Choose at least one application');
      }
      await page.getByLabel('All 2 of this view').check();
      await page.getByRole('button', { name: 'Write a mail…' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Write to 2 applicants');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Subject').fill('About {referenze}');
      await page.getByLabel('Text').fill('Dear {firstName} of the {program}.');
      await page.getByRole('button', { name: 'Look through it…' }).click();
      await expect(page.getByRole('alert')).toContainText('There is no field {referenze} here.');
      await expect(page.getByLabel('Text')).toHaveValue('Dear {firstName} of the {program}.');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Subject').fill('About {reference}');
      await page.getByRole('button', { name: 'Look through it…' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send this mail to 2 applicants?');
      for (const { reference } of [first, second]) {
        await expect(page.getByText(`About ${reference}`)).toBeVisible();
        await expect(page.getByRole('list', { name: 'Chosen applications' })).toContainText(reference);
      }
      await expect(page.getByText('Dear Demo of the')).toHaveCount(2);
      if (javaScriptEnabled) await expectAccessible(page);
      // Going back keeps the input; the number has to be typed as confirmation.
      await page.getByRole('button', { name: 'Change it' }).click();
      await expect(page.getByLabel('Subject')).toHaveValue('About {reference}');
      await page.getByRole('button', { name: 'Look through it…' }).click();
      await page.getByRole('button', { name: 'Send the mails' }).click();
      await expect(page.getByRole('alert')).toContainText('Type 2 to confirm');
      await page.getByLabel('Type 2 to confirm').fill('2');
      await page.getByRole('button', { name: 'Send the mails' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mails to 2 applicants');
      await expect(page.getByText('Sent', { exact: true })).toHaveCount(2);
      if (javaScriptEnabled) await expectAccessible(page);
      // Reloading submits the form again, but sends nothing twice.
      await page.reload();
      await expect(page.getByText('Sent before, and not again')).toHaveCount(2);
      for (const { token, reference } of [first, second]) {
        const answer = await request.get('/api/users/messages', { headers: bearer(token) });
        const { messages } = (await answer.json()) as { messages: { subject: string }[] };
        expect(messages.filter(({ subject }) => subject === `About ${reference}`)).toHaveLength(1);
      }
      await request.dispose();
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });

    test('several applicants are asked for a document', async ({ page, server, playwright, baseURL }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const asked = await submittedByApi(request, { ...newPerson(), lastName: lastName('Asked') });
      await logInStaff(page, newOwner(server));
      await page.goto(`/admin-panel/applications?tab=all&q=${lastName('Asked')}`);
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('row').filter({ hasText: asked.reference }).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Ask for a document…' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ask 1 applicant for a document');
      await page.getByRole('button', { name: 'Look through it…' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose the document.');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Document', { exact: true }).selectOption({ label: 'Proof of identity' });
      await page.getByLabel('Text').fill('Both sides, please.');
      await page.getByLabel('By when').fill('2099-05-29');
      await page.getByRole('button', { name: 'Look through it…' }).click();
      await expect(page.getByText('Both sides, please.')).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Type 1 to confirm').fill('1');
      await page.getByRole('button', { name: 'Send the mails' }).click();
      await expect(page.getByText('Sent', { exact: true })).toHaveCount(1);
      const answer = await request.get('/api/users/messages', { headers: bearer(asked.token) });
      expect(JSON.stringify(await answer.json())).toContain('Please send a document');
      await request.dispose();
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });

    test('several decisions are drafted after a look', async ({ page, server, playwright, baseURL }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = () => ({ ...newPerson(), lastName: lastName('Drafted') });
      const first = await submittedByApi(request, person());
      const second = await submittedByApi(request, person());
      await request.dispose();
      await logInStaff(page, newOwner(server));
      await page.goto(`/admin-panel/applications?tab=all&q=${lastName('Drafted')}`);
      if (javaScriptEnabled) await hydrated(page);
      for (const { reference } of [first, second]) {
        await page.getByRole('row').filter({ hasText: reference }).getByRole('checkbox').check();
      }
      await page.locator('.list-bar').getByText('More', { exact: true }).click();
      await page.getByRole('button', { name: 'Draft a rejection…' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Draft a rejection for 2 applications',
      );
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Look through it…' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await page.getByRole('group', { name: 'Reasons, at least one' }).getByRole('checkbox').first().check();
      await page
        .getByLabel('Why it is decided without the missing documents')
        .fill('It is clear without them');
      await page.getByRole('button', { name: 'Look through it…' }).click();
      await expect(page.getByRole('heading', { name: 'The letter as it would be' })).toBeVisible();
      await expect(page.getByText('We wish you well.').first()).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Draft it for all' }).click();
      await expect(page.getByText('Drafted', { exact: true })).toHaveCount(2);
      if (javaScriptEnabled) await expectAccessible(page);
      await page
        .getByRole('link', { name: `Demo ${lastName('Drafted')}` })
        .first()
        .click();
      await page.getByRole('link', { name: 'Decision', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Rejection' })).toContainText('Draft');
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });
  });
}
