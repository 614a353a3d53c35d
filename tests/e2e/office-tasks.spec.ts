// Tasks of an application: shown on its page, and ticked off there.

import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newStaff } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('staff see what there is to do, and tick it off with a word', async ({ page, request, server }) => {
      const person = newPerson();
      await submittedByApi(request, person);
      await logInStaff(page, newStaff(server, 'reviewer'));
      await page.goto(`/admin-panel/applications?tab=all&q=${encodeURIComponent(person.email)}`);
      await page.getByRole('main').getByRole('link', { name: person.lastName }).first().click();
      const tasks = page.getByRole('region', { name: 'To do' });
      await expect(tasks.getByRole('listitem')).toHaveCount(1);
      await expect(tasks).toContainText('See what has changed – Submitted');
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await tasks.getByText('Add a note').click();
      await tasks.getByLabel('Note').fill('Read it, all is there.');
      await tasks.getByRole('button', { name: /^Done with .*See what has changed/ }).click();
      await expect(page.getByText('The task is closed.')).toBeVisible();
      await expect(tasks).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText('The task is open again')).toBeVisible();
      await tasks.getByRole('button', { name: /^Done with .*See what has changed/ }).click();
      await expect(tasks).toHaveCount(0);
      await page
        .getByRole('navigation', { name: 'Parts of the application' })
        .getByRole('link', { name: 'Timeline' })
        .click();
      await expect(page.getByRole('main')).toContainText('Task ticked off');
    });
  });
}
