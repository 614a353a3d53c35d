// Decisions in the office: drafted in an application, released in a separate act, several at once, and recalled.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { decide } from './support/office';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('several drafts are released after a look and recalled', async ({
      page,
      server,
      playwright,
      baseURL,
    }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const suffix = javaScriptEnabled ? 'script' : 'plain';
      const one = { ...newPerson(), lastName: `First${suffix}` };
      const two = { ...newPerson(), lastName: `Second${suffix}` };
      const first = await submittedByApi(request, one);
      const second = await submittedByApi(request, two);
      await request.dispose();
      decide(server, first.reference, [
        'accept',
        '--waive-interview',
        'Known to us',
        '--without-documents',
        'Seen on paper',
      ]);
      decide(server, second.reference, [
        'reject',
        '--reason',
        'places',
        '--tell',
        'places',
        '--without-documents',
        'Seen on paper',
      ]);
      await logInStaff(page, newOwner(server));
      await page.goto('/admin-panel/applications?tab=decisions');
      await page.getByRole('link', { name: 'Decisions to release' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Decisions to release');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      // Without a selection nothing happens, and the page says so.
      await page.getByRole('button', { name: 'Release the chosen…' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose at least one decision.');
      for (const name of [one.lastName, two.lastName]) {
        await page.getByRole('checkbox', { name: `Choose Demo ${name}` }).check();
      }
      await page.getByRole('button', { name: 'Release the chosen…' }).click();
      const panel = page.getByRole('region', { name: 'Release 2 decisions' }).first();
      await expect(panel).toContainText(one.lastName);
      await expect(panel).toContainText(two.lastName);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Type 2 to confirm').fill('3');
      await page.getByRole('button', { name: 'Release', exact: true }).click();
      await expect(page.getByRole('alert')).toContainText('Type 2 to confirm');
      await page.getByLabel('Type 2 to confirm').fill('2');
      await page.getByRole('button', { name: 'Release', exact: true }).click();
      await expect(page.getByText('Released: it can be recalled for 15 minutes')).toHaveCount(2);
      await page.getByRole('checkbox', { name: `Choose Demo ${two.lastName}` }).check();
      await page.getByRole('button', { name: 'Recall the chosen' }).click();
      await expect(page.getByText('Done: the applicant learned nothing')).toBeVisible();
      await expect(page.getByRole('checkbox', { name: `Choose Demo ${two.lastName}` })).toHaveCount(0);
      if (javaScriptEnabled) await expectAccessible(page);
      const complained = heard.filter((each) => !each.includes('status of 422'));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a decision is drafted, read, released and recalled', async ({
      page,
      server,
      playwright,
      baseURL,
    }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: `Decided${javaScriptEnabled ? 'script' : 'plain'}` };
      await submittedByApi(request, person);
      await request.dispose();
      await logInStaff(page, newOwner(server));
      await page.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
      await page.getByRole('link', { name: `Demo ${person.lastName}` }).click();
      await page
        .getByRole('navigation', { name: 'Parts of the application' })
        .getByRole('link', { name: 'Decision' })
        .click();
      await expect(page).toHaveURL(/\/decision/);
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await page.getByRole('link', { name: 'Draft a rejection' }).click();
      await page.getByRole('button', { name: 'Keep the draft' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose at least one reason for the rejection.');
      await expect(page.getByLabel('Letter', { exact: true })).not.toContainText('Offer of a place');
      if (javaScriptEnabled) await expectAccessible(page);
      const reasons = page.getByRole('group', { name: 'Reasons, at least one' });
      // A reason in the letter need not be ticked a second time.
      await reasons.getByLabel('The letter tells it: There were more good applications than places.').check();
      await reasons
        .getByLabel('What you want to achieve is not what the program teaches.', { exact: true })
        .check();
      await page.getByRole('button', { name: 'Preview the letter' }).click();
      const preview = page.getByRole('region', { name: 'The letter as it would be' });
      await expect(preview).toContainText('There were more good applications than places.');
      await expect(preview).not.toContainText('What you want to achieve');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Keep the draft' }).click();
      await expect(page.getByRole('status').first()).toContainText('The draft is kept.');
      await expect(page.getByText('(for the record only)')).toBeVisible();
      await expect(page.getByText('A document is missing that nobody decides without.')).toBeVisible();
      const basis = page.getByRole('complementary', { name: 'What it rests on' });
      await expect(basis.getByRole('listitem').filter({ hasText: 'Proof of identity' })).toContainText(
        'Not sent yet',
      );
      await page.getByRole('radio', { name: 'Now' }).check();
      await page.getByRole('button', { name: 'Release the decision' }).click();
      await expect(page.getByRole('alert')).toContainText('say in the draft why you decide without it');
      await page.getByRole('link', { name: 'Accept instead' }).click();
      await page.getByLabel('Conditions').fill('A diploma\nA medical certificate');
      await page.getByLabel('Why there is no interview').fill('Known to us');
      await page.getByLabel('Why it is decided without the missing documents').fill('Seen on paper');
      await page.getByRole('button', { name: 'Keep the draft' }).click();
      await expect(page.getByRole('heading', { name: 'Acceptance' })).toBeVisible();
      await expect(page.getByText('A medical certificate').first()).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('At this time').check();
      await page.getByRole('button', { name: 'Release the decision' }).click();
      await expect(page.getByRole('alert')).toContainText('Choose a day and a time.');
      await page.getByRole('radio', { name: 'Now' }).check();
      await page.getByRole('button', { name: 'Release the decision' }).click();
      await expect(page.getByText('The applicant sees nothing of it yet.')).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Recall the decision' }).click();
      await expect(page.getByText('recalled before the applicant knew')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Draft an acceptance' })).toBeVisible();
      const complained = heard.filter((each) => !/status of (409|422)/.test(each));
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });
  });
}

test('decisions are chosen and released by keyboard', async ({ page, server, playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  const person = { ...newPerson(), lastName: 'Keydecision' };
  const { reference } = await submittedByApi(request, person);
  await request.dispose();
  decide(server, reference, [
    'accept',
    '--waive-interview',
    'Known to us',
    '--without-documents',
    'Seen on paper',
  ]);
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/decisions');
  await hydrated(page);
  await page.getByRole('checkbox', { name: 'Choose Demo Keydecision' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Release the chosen…' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Release 1 decision' })).toBeVisible();
  await page.getByLabel('Type 1 to confirm').focus();
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Released: it can be recalled for 15 minutes')).toBeVisible();
});
