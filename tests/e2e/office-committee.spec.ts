// Two readers are asked to read an application, each blind to the other, and a committee goes through their readings.

import { expectAccessible } from './support/accessible';
import { complaints, hydrated } from './support/browser';
import { desk } from './support/desk';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newStaff, type StaffLogin } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('two readers and a committee', async ({ browser, ownServer, playwright }) => {
      test.slow();
      const baseURL = ownServer.url;
      const request = await playwright.request.newContext({ baseURL });
      const first = await submittedByApi(request, { ...newPerson(), lastName: 'First' });
      await submittedByApi(request, { ...newPerson(), lastName: 'Second' });
      await request.dispose();
      const readers = [newStaff(ownServer, 'interviewer'), newStaff(ownServer, 'interviewer')];
      const decider = await desk(browser, baseURL, ownServer, 'decider', first.reference, javaScriptEnabled);
      const heard = [complaints(decider)];
      const ready = async (page: typeof decider) => {
        if (!javaScriptEnabled) return;
        await hydrated(page);
        await expectAccessible(page);
      };
      const ask = async () => {
        await decider.getByRole('link', { name: 'Readings', exact: true }).click();
        await expect(decider.getByText('Nobody is asked to read this application yet.')).toBeVisible();
        for (const { email } of readers) await decider.getByRole('checkbox', { name: email }).check();
        await decider.getByLabel('Expected by').fill('2090-01-31');
        await decider.getByRole('button', { name: 'Ask them' }).click();
        await expect(decider.getByText('The readers are asked.')).toBeVisible();
      };
      await ask();
      await ready(decider);
      await decider.goto('/admin-panel/applications?tab=all&q=Second');
      await decider.getByRole('link', { name: 'Demo Second' }).first().click();
      await ask();

      // Each reads both applications; the next one is one click away.
      const read = async (reader: StaffLogin, points: number, recommendation: string) => {
        const context = await browser.newContext({ baseURL, javaScriptEnabled });
        const page = await context.newPage();
        heard.push(complaints(page));
        await logInStaff(page, reader);
        for (const left of [2, 1]) {
          await page.goto('/admin-panel/work?task=reading');
          await expect(page.getByRole('link', { name: 'Read and score the application' })).toHaveCount(left);
          await page.getByRole('link', { name: 'Read and score the application' }).first().click();
          await expect(page.getByRole('heading', { name: 'Your reading' })).toBeVisible();
          await expect(page.getByText('I say ')).toHaveCount(0);
          await page.getByRole('button', { name: 'Send the reading' }).click();
          await expect(page.getByRole('alert')).toContainText('Motivation for this program: choose 1 to 5.');
          for (const group of await page.getByRole('group', { name: '(5 is best)' }).all()) {
            await group.getByRole('radio', { name: String(left === 2 ? points : 1) }).check();
          }
          await page.getByLabel('Recommendation').selectOption({ label: recommendation });
          await page.getByLabel('What speaks for this applicant').fill(`I say ${recommendation}.`);
          await page.getByRole('button', { name: 'Send the reading' }).click();
          await expect(page.getByText('Your reading is sent.')).toBeVisible();
          await expect(page.getByText(`I say ${recommendation}.`)).toBeVisible();
        }
        await ready(page);
        await context.close();
      };
      await read(readers[0]!, 5, 'Accept');
      await read(readers[1]!, 3, 'Not sure');

      // The committee, best scores first.
      await decider.getByRole('link', { name: 'Committee' }).first().click();
      const rows = decider.getByRole('row');
      await expect(rows).toHaveCount(3);
      await expect(rows.nth(1)).toContainText('4.0');
      await expect(rows.nth(1)).toContainText('1 accept, 1 not sure');
      await expect(rows.nth(2)).toContainText('1.0');
      await ready(decider);
      await decider.getByRole('link', { name: 'Go through them one after the other' }).click();
      await expect(decider.getByText('1 of 2', { exact: true })).toBeVisible();
      await expect(decider.getByText('4.0 of 5')).toBeVisible();
      await expect(decider.getByText('I say Accept.')).toBeVisible();
      await ready(decider);
      if (javaScriptEnabled) await decider.keyboard.press('j');
      else await decider.getByRole('link', { name: 'Next' }).first().click();
      await expect(decider.getByText('2 of 2', { exact: true })).toBeVisible();
      await decider.getByRole('link', { name: 'Draft the decision' }).click();
      await expect(decider.getByRole('heading', { name: 'What it rests on' })).toBeVisible();
      await expect(decider.getByText('I say Not sure.')).toBeVisible();
      const complained = heard.flat().filter((each) => !each.includes('status of 422'));
      // Without JavaScript, browsers report for each script that it is blocked.
      if (javaScriptEnabled) expect(complained).toEqual([]);
    });
  });
}
