// A Viewer tries everything: what the role allows is there, everything else is neither offered nor possible.

import { expectAccessible } from './support/accessible';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newStaff } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a Viewer looks, and changes nothing', async ({ page, server, playwright, baseURL }) => {
      const request = await playwright.request.newContext({ baseURL });
      const person = { ...newPerson(), lastName: javaScriptEnabled ? 'Regarded' : 'Plainregarded' };
      const { reference } = await submittedByApi(request, person);
      await request.dispose();
      await logInStaff(page, newStaff(server, 'viewer'));
      await expect(page).toHaveURL('/admin-panel/applications');
      const menu = page.getByRole('navigation', { name: 'Office' });
      await expect(menu.getByRole('link')).toHaveText(['Applications', 'Waitlist', 'Your account']);

      await page.goto(`/admin-panel/applications?tab=all&q=${reference}`);
      const row = page.getByRole('row').filter({ hasText: reference });
      await expect(row).toContainText('Submitted');
      await expect(row).not.toContainText(person.email);
      await expect(page.getByRole('table').getByRole('checkbox')).toHaveCount(0);
      for (const name of ['Assign…', 'Add…', 'Save this view as CSV']) {
        await expect(page.getByText(name)).toHaveCount(0);
      }
      if (javaScriptEnabled) await expectAccessible(page);

      await row.getByRole('link').click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(reference);
      const main = page.getByRole('main');
      await expect(main).toContainText('Your role does not include personal data.');
      await expect(main).not.toContainText(person.email);
      const tabs = page.getByRole('navigation', { name: 'Parts of the application' });
      await expect(tabs.getByRole('link')).toHaveText(['Application', 'Interview', 'Decision', 'Timeline']);
      await expect(page.getByRole('list', { name: 'What can be done now' })).toHaveCount(0);
      await expect(main.getByRole('button')).toHaveCount(0);
      if (javaScriptEnabled) await expectAccessible(page);
      for (const name of ['Interview', 'Decision', 'Timeline']) {
        await tabs.getByRole('link', { name }).click();
        await expect(tabs.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
        await expect(main.getByRole('button')).toHaveCount(0);
      }

      // What is not offered is not available by its address either.
      const application = new URL(page.url()).pathname.replace(/\/timeline$/, '');
      for (const path of [
        `${application}/documents`,
        `${application}/notes`,
        `${application}/messages`,
        `${application}/emails`,
        `${application}/act?act=withdraw`,
        '/admin-panel/decisions',
        '/admin-panel/interviews',
        '/admin-panel/questionnaires',
        '/admin-panel/questionnaires/bachelor',
        '/admin-panel/settings',
        '/admin-panel/admins',
      ]) {
        const answer = await page.goto(path);
        expect([path, answer?.status()]).toEqual([path, 403]);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your role does not allow this');
      }
      if (javaScriptEnabled) await expectAccessible(page);

      // Nor with a form copied from another role and sent with the Viewer's session.
      const forms: [string, Record<string, string>][] = [
        [`${application}/mark`, { _action: 'tag', newTag: 'mine', revision: '1' }],
        [`${application}/act`, { act: 'withdraw', reason: 'No reason', revision: '1' }],
        [`${application}/decision`, { _action: 'draft', outcome: 'reject' }],
        [`${application}/notes`, { _action: 'write', text: 'A note' }],
        ['/admin-panel/applications', { _action: 'tag', tag: 'mine', all: 'yes' }],
        ['/admin-panel/admins', { email: 'somebody@example.org', role: 'owner' }],
        ['/admin-panel/questionnaires/bachelor', { _action: 'publish' }],
      ];
      for (const [path, form] of forms) {
        const answer = await page.request.post(path, {
          form,
          headers: { origin: baseURL! },
          maxRedirects: 0,
        });
        expect([path, answer.status()]).toEqual([path, 403]);
      }
      await page.goto(`/admin-panel/applications?tab=all&q=${reference}`);
      await expect(row).toContainText('Submitted');
      await expect(row).not.toContainText('mine');
    });
  });
}
