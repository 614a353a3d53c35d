// Changes that staff request after submission: the same with and without JavaScript.

import { saveAndContinue } from './support/answers';
import { hydrated } from './support/browser';
import { decide, requestChanges } from './support/office';
import { newPerson, submittedByApi } from './support/people';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('asked for, made in the sections that are open, and submitted again', async ({
      page,
      context,
      server,
    }) => {
      const { reference } = await submittedByApi(context.request, newPerson());
      requestChanges(server, reference, ['employment', 'education'], 'Please tell us <where> you work.');
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      await expect(page.getByRole('heading', { name: 'Change your application' })).toBeVisible();
      await page.getByRole('link', { name: 'See what to change' }).click();

      await expect(page).toHaveURL('/bachelor/application');
      await expect(page.getByText('Please tell us <where> you work.')).toBeVisible();
      const main = page.getByRole('main');
      const sections = main.getByRole('region', { name: 'Sections' });
      await expect(sections.getByRole('link')).toHaveText(['Education', 'Employment']);
      await expect(sections.getByText('As submitted')).toHaveCount(5);
      await page.goto('/bachelor/application/about-you');
      await expect(page).toHaveURL('/bachelor/application');
      if (javaScriptEnabled) await hydrated(page);

      await sections.getByRole('link', { name: 'Employment' }).click();
      await expect(page).toHaveURL('/bachelor/application/employment');
      const seeing = page.getByRole('radiogroup', { name: 'Are you seeing coaching clients?' });
      await seeing.getByRole('radio', { name: 'Yes' }).check();
      await saveAndContinue(page);
      await expect(page).toHaveURL('/bachelor/application/check');
      await expect(main.getByRole('region', { name: 'Employment', exact: true })).toContainText('Yes');
      const changes = main.getByRole('link', { name: /^Change / });
      for (const href of await changes.evaluateAll((links) =>
        links.map((link) => link.getAttribute('href')),
      )) {
        expect(href).toMatch(/\/application\/(education|employment)\?from=check/);
      }
      await page.getByRole('checkbox', { name: /truthfully/ }).check();
      await page.getByRole('button', { name: 'Submit it again' }).click();

      await expect(page).toHaveURL('/thankyou');
      await expect(page.getByText(reference)).toBeVisible();
      await page.getByRole('link', { name: 'Go to your dashboard' }).click();
      await expect(page.getByRole('heading', { name: 'Submitted', exact: true })).toBeVisible();
      await page.goto('/bachelor/application/employment');
      await expect(page.getByRole('button', { name: 'Save and continue' })).toHaveCount(0);
    });

    test('taken back: what was submitted stands', async ({ page, context, server }) => {
      const { reference } = await submittedByApi(context.request, newPerson());
      requestChanges(server, reference, ['questions'], 'More about your plans, please.');
      decide(server, reference, ['drop-changes']);
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'Submitted', exact: true })).toBeVisible();
    });
  });
}
