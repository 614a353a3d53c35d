import { employerName, saved } from './support/answers';
import { storedApplication } from './support/people';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an applicant moves to the other program after being asked, and keeps every answer', async ({
      page,
      applicant,
    }) => {
      await page.goto('/bachelor/application');
      await employerName(page).fill('U.S. Navy');
      if (javaScriptEnabled) await saved(page);
      else await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

      await page.goto('/masters/application');
      const question = page
        .getByRole('alert')
        .filter({ hasText: 'You have started an application for the Bachelor’s program' });
      await expect(question).toBeVisible();
      await expect(employerName(page)).toBeHidden();
      expect((await storedApplication(page.request, applicant)).applicationType).toBe('ba');

      await question.getByRole('button', { name: 'Switch to the Master’s program' }).click();
      await expect(question).toBeHidden();
      await expect(employerName(page)).toHaveValue('U.S. Navy');
      await expect
        .poll(async () => (await storedApplication(page.request, applicant)).applicationType)
        .toBe('msc');
      await page.goto('/dashboard');
      await expect(page.getByRole('main').getByText('Master’s program')).toBeVisible();
    });
  });
}
