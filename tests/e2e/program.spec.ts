import { SAVED, employerName, followSection, saveAndLeave, sectionPath } from './support/answers';
import { storedApplication } from './support/people';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an applicant moves to the other program after being asked, and keeps every answer', async ({
      page,
      applicant,
    }) => {
      await page.goto(sectionPath('employment'));
      await employerName(page).fill('Demo Works');
      await saveAndLeave(page);
      await expect(page.getByText(SAVED)).toBeVisible();

      await page.goto(sectionPath('education', 'masters'));
      await expect(page).toHaveURL('/masters/application');
      const question = page
        .getByRole('alert')
        .filter({ hasText: 'You have started an application for the Bachelor’s program' });
      await expect(question).toBeVisible();
      await expect(page.getByRole('link', { name: 'Employment' })).toBeHidden();
      expect((await storedApplication(page.request, applicant)).applicationType).toBe('ba');

      await question.getByRole('button', { name: 'Switch to the Master’s program' }).click();
      await expect(question).toBeHidden();
      await followSection(page, 'Employment');
      await expect(page).toHaveURL(sectionPath('employment', 'masters'));
      await expect(employerName(page)).toHaveValue('Demo Works');
      await expect
        .poll(async () => (await storedApplication(page.request, applicant)).applicationType)
        .toBe('msc');
      await page.goto('/dashboard');
      await expect(page.getByRole('main').getByText('Master’s program')).toBeVisible();
    });
  });
}
