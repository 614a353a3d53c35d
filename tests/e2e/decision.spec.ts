// From a decision to the applicant's reply: the same with and without JavaScript.

import { hydrated } from './support/browser';
import { accept, decide, reject } from './support/office';
import { newPerson, submittedByApi } from './support/people';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a decision is held, recalled, made again, read and taken', async ({ page, context, server }) => {
      const { reference } = await submittedByApi(context.request, newPerson());
      const letter = accept(server, reference);
      expect(letter).toContain('We offer you a place');
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'Submitted', exact: true })).toBeVisible();
      await expect(page.getByText('place')).toHaveCount(0);
      await page.goto('/dashboard/letter');
      await expect(page).toHaveURL('/dashboard');
      decide(server, reference, ['recall']);

      accept(server, reference, 16, ['A high-school diploma by June', 'Proof of your citizenship']);
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      await expect(page.getByRole('heading', { name: 'Reply to our offer' })).toBeVisible();
      await expect(
        page.getByText(/You can reply until \w+day, \w+\s\d+,\s\d{4}, 11:59\sPM Eastern Time\./),
      ).toHaveCount(1);
      await page.getByRole('link', { name: 'Read the offer and reply' }).click();
      const decision = page.getByRole('region', { name: 'We offer you a place in the Bachelor’s program' });
      await expect(decision).toBeInViewport();
      await expect(decision.getByRole('listitem')).toHaveText([
        'A high-school diploma by June',
        'Proof of your citizenship',
      ]);

      await decision.getByRole('link', { name: 'Read the letter' }).click();
      await expect(page).toHaveURL('/dashboard/letter');
      await expect(page.getByRole('article')).toContainText('Dear Demo Person,');
      await expect(page.getByRole('article').getByRole('listitem')).toHaveCount(2);
      await page.getByRole('link', { name: 'Back to your dashboard' }).click();

      // The first click does nothing yet.
      await decision.getByText('Accept the offer', { exact: true }).click();
      await decision.getByRole('button', { name: 'Yes, accept the offer' }).click();
      await expect(page).toHaveURL('/dashboard');
      await expect(page.getByRole('heading', { name: 'Offer accepted' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Plan how you will pay' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Yes, accept the offer' })).toHaveCount(0);
    });

    test('an offer is declined, the decline undone, and a later start asked for', async ({
      page,
      context,
      server,
    }) => {
      const { reference } = await submittedByApi(context.request, newPerson());
      accept(server, reference, 16);
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      const open = (summary: string) => page.getByText(summary, { exact: true }).click();

      await open('Decline the offer');
      await page.getByLabel('Why are you declining? (optional)').fill('I move to another country.');
      await page.getByRole('button', { name: 'Yes, decline the offer' }).click();
      await expect(page.getByText('You have declined our offer for the Bachelor’s program')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Past applications' })).toContainText(
        'Offer declined on',
      );
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('heading', { name: 'Reply to our offer' })).toBeVisible();

      await open('Ask to start later');
      await page.getByRole('button', { name: 'Ask for a later start' }).click();
      const intake = page.getByLabel('When would you like to start?');
      await expect(intake).toHaveAccessibleDescription('Choose the intake that you want to start with.');
      await intake.selectOption({ index: 1 });
      await page.getByLabel('Why? (optional)').fill('Deployment');
      await page.getByRole('button', { name: 'Ask for a later start' }).click();
      await expect(page.getByText(/^On .*, you asked to start in /)).toBeVisible();

      decide(server, reference, ['refuse-deferral', '--reason', 'That intake is full.']);
      await page.goto('/dashboard');
      await expect(page.getByText(/^You asked to start in .* We could not agree to that/)).toBeVisible();
      await expect(page.getByRole('blockquote')).toHaveText('That intake is full.');
      await open('Ask to start later');
      await expect(intake).toBeVisible();
    });

    test('somebody who was rejected reads the letter and applies again', async ({
      page,
      context,
      server,
    }) => {
      const { reference } = await submittedByApi(context.request, newPerson());
      reject(server, reference, 16);
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('link', { name: 'Read the letter' }).first().click();
      await expect(page.getByRole('article')).toContainText('There were more good applications than places.');
      await expect(page.getByRole('article')).not.toContainText('experience');
      await page.getByRole('link', { name: 'Back to your dashboard' }).click();
      await page.getByText('Apply again', { exact: true }).click();
      await page.getByRole('button', { name: 'Close this application and apply again' }).click();
      await expect(page).toHaveURL('/bachelor/apply');
      await page.goto('/dashboard');
      const past = page.getByRole('region', { name: 'Past applications' });
      await expect(past).toContainText('Not accepted, closed on');
      await past.getByRole('link').click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Your application for the Bachelor’s program',
      );
      await expect(page.getByText(reference)).toBeVisible();
      await expect(page.getByRole('region', { name: 'Financial plan' })).toContainText('Employer');
    });
  });
}

test('a letter is printed as a letter', async ({ page, context, server }) => {
  const { reference } = await submittedByApi(context.request, newPerson());
  accept(server, reference, 16);
  await page.goto('/dashboard/letter');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('article')).toBeVisible();
  for (const hidden of ['banner', 'contentinfo'] as const) {
    await expect(page.getByRole(hidden)).toBeHidden();
  }
  await expect(page.getByRole('link', { name: 'Back to your dashboard' })).toBeHidden();
});
