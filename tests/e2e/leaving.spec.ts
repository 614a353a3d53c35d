// Leaving a page asks for confirmation if unsaved input would be lost.
import { sectionPath, jobTitle } from './support/answers';
import { expectSameDocument, hydrated, markDocument } from './support/browser';
import { newPerson, submittedByApi } from './support/people';
import { expect, test } from './support/test';

test('a typed reason to withdraw', async ({ page, context }) => {
  await submittedByApi(context.request, newPerson());
  await page.goto('/bachelor/application');
  await hydrated(page);
  await markDocument(page);
  await page.getByText('Withdraw your application').first().click();
  const reason = page.getByLabel('Why are you withdrawing?');
  await reason.fill('I am moving away');
  const asks = page.getByRole('dialog', { name: 'Leave without saving?' });
  const elsewhere = page.getByRole('contentinfo').getByRole('link', { name: 'Master’s program' });
  await elsewhere.click();
  await asks.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(page).toHaveURL('/bachelor/application');
  await expect(reason).toHaveValue('I am moving away');
  await elsewhere.click();
  await asks.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL('/masters/apply');
  await expect(asks).toHaveCount(0);
  await expectSameDocument(page);
});

test('what saves itself is left without a question', async ({ signedInPage: page }) => {
  await page.goto(sectionPath('employment'));
  await hydrated(page);
  await jobTitle(page).fill('Chief');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Master’s program' }).click();
  await expect(page).toHaveURL('/masters/apply');
});
