import axe from 'axe-core';
import type { Locator, Page } from '@playwright/test';
import {
  answerEverything,
  hoursPerWeek,
  jobTitle,
  openSection,
  saveAndContinue,
  saved,
  sectionPath,
} from './support/answers';
import { allRules, expectAccessible, violations } from './support/accessible';
import { hydrated, wake } from './support/browser';
import { pdf } from './support/files';
import { linkTo } from './support/mailbox';
import { accept, reject } from './support/office';
import { pages } from './support/pages';
import { newPerson, registerByApi, registerDialog, submittedByApi } from './support/people';
import { expect, expectComplaint, test } from './support/test';

for (const { name, path, owner } of pages) {
  test(`${name}: well built, with a skip link that works, and axe finds nothing`, async ({
    page,
    context,
  }) => {
    if (owner === 'applicant') await registerByApi(context.request, newPerson(), 'ba');
    await page.goto(path);
    await expect(page).toHaveTitle(/\S.* – \S/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    // Behind an open dialog it exists, but is hidden from assistive technology.
    await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toHaveCount(1);
    for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
      await expect(page.getByRole(landmark, { includeHidden: true })).toHaveCount(1);
    }
    await page.keyboard.press('Tab');
    await hydrated(page);
    if (!(await page.getByRole('dialog').isVisible())) {
      const skip = page.getByRole('link', { name: 'Skip to content' });
      await expect(skip).toBeFocused();
      await expect(skip).toBeInViewport();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('main')).toBeFocused();
    }
    await expectAccessible(page);
  });
}

test('the register form with its errors: axe finds nothing', async ({ page }) => {
  await page.goto('/bachelor/apply?dialog=register');
  await hydrated(page);
  await registerDialog(page).getByRole('button', { name: 'Create account' }).click();
  await expect(registerDialog(page).getByRole('alert')).toBeFocused();
  await expectAccessible(page);
});

test.describe('crash screen', () => {
  test.use({ expectedErrors: [[/a page could not be rendered/], { scope: 'test' }] });

  test('axe finds nothing', async ({ page }) => {
    expectComplaint(/status of 500/);
    await page.goto('/bachelor/application?fault=throw');
    await hydrated(page);
    await expectAccessible(page);
  });
});

test('an application with employers, errors and open menus: axe finds nothing', async ({
  page,
  applicant,
}) => {
  await openSection(page, 'employment');
  await page
    .getByRole('radiogroup', { name: 'Have you worked for anyone else before?' })
    .getByRole('radio', { name: 'Yes' })
    .check();
  await page.getByRole('button', { name: 'Add an employer' }).click();
  await hoursPerWeek(page).fill('plenty');
  await saveAndContinue(page);
  await expect(hoursPerWeek(page)).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('banner').getByText(applicant.firstName, { exact: true }).click();
  await expectAccessible(page);
});

test('an interview on its way from the free times to the booking: axe finds nothing', async ({
  page,
  context,
  server,
}) => {
  test.slow();
  server.seed();
  await submittedByApi(context.request, newPerson());
  await page.goto('/schedule?step=wishes');
  await page.getByRole('button', { name: 'Send three times' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectAccessible(page);
  await page.goto('/schedule');
  await hydrated(page);
  await expectAccessible(page);
  await page.locator('button[name="startsAt"]').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Book this time?');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Book my interview' }).click();
  await expect(page).toHaveURL('/thankyou');
  await expectAccessible(page);
  await page.goto('/schedule');
  await page.getByText('Cancel your interview').click();
  await expectAccessible(page);
});

test('a list of sections that were begun and completed: axe finds nothing', async ({
  signedInPage: page,
}) => {
  await openSection(page, 'about-you');
  await saveAndContinue(page);
  await openSection(page, 'employment');
  await jobTitle(page).fill('Chief');
  await saved(page);
  await page.goto('/bachelor/application');
  await expect(page.getByRole('link', { name: 'Enter the name of your current employer.' })).toBeVisible();
  await expectAccessible(page);
});

test('an application that is checked, refused, submitted and withdrawn: axe finds nothing', async ({
  page,
  context,
}) => {
  test.slow();
  await registerByApi(context.request, newPerson(), 'ba');
  await answerEverything(page);
  await page.getByRole('button', { name: 'Submit your application' }).click();
  await expect(page.getByRole('checkbox')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Submit your application' }).click();
  await expect(page).toHaveURL('/thankyou');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See or change what you sent' }).click();
  await page.getByText('Withdraw your application', { exact: true }).first().click();
  await expectAccessible(page);
  await page.getByLabel('Why are you withdrawing?').fill('I move.');
  await page.getByRole('button', { name: 'Withdraw your application' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectAccessible(page);
});

test('documents with files in every state: axe finds nothing', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/documents');
  await hydrated(page);
  const identity = page.getByRole('region', { name: 'Proof of identity' });
  const choose = identity.getByLabel(/^Choose files/);
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
  await choose.setInputFiles([file('good.pdf', pdf(1000)), file('bad.pdf', Buffer.from('no PDF'))]);
  await expect(identity.getByRole('link', { name: 'good.pdf' })).toBeVisible();
  await expect(identity).toContainText('The file is not a valid PDF.');
  await page.route('**/uploads/*', () => undefined);
  await choose.setInputFiles([file('slow.pdf', pdf(5000)), file('x.exe', Buffer.from('x'))]);
  await expect(identity).toContainText('Allowed types');
  await identity.getByRole('button', { name: 'Pause slow.pdf' }).click();
  await expectAccessible(page);
});

test('the dashboard’s menu on a phone opens, is accessible and closes with Escape', async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard');
  await hydrated(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  await expect(menu).toBeVisible();
  await page.evaluate(axe.source);
  expect(await violations(page, allRules)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
});

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const focused = () => target.evaluate((element) => element === document.activeElement);
  for (let step = 0; step < 80; step += 1) {
    if (await focused()) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test('somebody without a mouse registers and fills in a section', async ({ page }) => {
  const person = newPerson();
  await page.goto('/bachelor/apply');
  await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Apply now' }).first());
  await page.keyboard.press('Enter');
  const dialog = registerDialog(page);
  await expect(dialog.getByLabel('First name')).toBeFocused();
  const typed: [Locator, string][] = [
    [dialog.getByLabel('First name'), person.firstName],
    [dialog.getByLabel('Last name'), person.lastName],
    [dialog.getByLabel('Date of birth'), '05171994'],
    [dialog.getByLabel('Country code'), 'United States'],
    [dialog.getByLabel('Phone number'), '5555550123'],
    [dialog.getByLabel('State'), 'Virginia'],
    [dialog.getByRole('textbox', { name: 'Email', exact: true }), person.email],
    [dialog.getByLabel('Password', { exact: true }), person.password],
    [dialog.getByLabel('Repeat password', { exact: true }), person.password],
  ];
  for (const [field, text] of typed) {
    await tabTo(page, field);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/bachelor/application');
  await tabTo(page, page.getByRole('link', { name: 'Begin: About you' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(sectionPath('about-you'));

  const citizen = page.getByRole('radiogroup', { name: 'Are you a citizen of the United States?' });
  await tabTo(page, citizen.getByRole('radio', { name: 'Yes' }));
  await page.keyboard.press('ArrowRight');
  await expect(citizen.getByRole('radio', { name: 'No' })).toBeChecked();
  const state = page.getByLabel('In which state do you live?');
  await tabTo(page, state);
  await page.keyboard.type('Texas');
  await tabTo(page, page.getByRole('button', { name: 'Save and continue' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(sectionPath('military'));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.goBack();
  await expect(citizen.getByRole('radio', { name: 'No' })).toBeChecked();
  await expect(state).toHaveValue('TX');
});

/** Returns faults in how the focus is shown, for each stop of the Tab key. */
async function focusTroubles(page: Page): Promise<string[]> {
  const troubles: string[] = [];
  for (let stop = 0; stop < 100; stop += 1) {
    await page.keyboard.press('Tab');
    const trouble = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'end';
      // The button inside a date input and its outline belong to the browser.
      if (element.matches('[type=date]:not(:focus-visible)')) return null;
      // Large choices show the focus around the whole choice.
      const shown =
        element.closest('.MuiInputBase-root, .MuiFormControlLabel-root, label.MuiButton-root') ?? element;
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      const name = `${element.tagName} ${element.id || element.textContent?.trim().slice(0, 30)}`;
      if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no outline: ${name}`;
      const { left, right, top, bottom } = shown.getBoundingClientRect();
      const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const seen = middle !== null && (shown.contains(middle) || middle.contains(shown));
      return seen ? null : `hidden behind something: ${name}`;
    });
    if (trouble === 'end') break;
    if (trouble) troubles.push(trouble);
  }
  return troubles;
}

for (const { path, width } of [
  { path: '/bachelor/apply', width: 360 },
  { path: '/bachelor/application', width: 360 },
  { path: '/bachelor/application/employment', width: 360 },
  { path: '/bachelor/application/employment', width: 1280 },
  { path: '/dashboard/account', width: 1280 },
  { path: '/dashboard/documents', width: 360 },
]) {
  test(`${path} at ${width}: the focus is seen at every stop, and never hidden behind a bar`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    if (path !== '/bachelor/apply') await registerByApi(context.request, newPerson(), 'ba');
    await page.goto(path);
    if (path === '/bachelor/apply') await wake(page);
    else await hydrated(page);
    expect(await focusTroubles(page)).toEqual([]);
  });
}

test('an offer, its open forms and its letter: axe finds nothing', async ({ page, context, server }) => {
  test.slow();
  const { reference } = await submittedByApi(context.request, newPerson());
  accept(server, reference, 16, ['A high-school diploma by June']);
  await page.goto('/dashboard');
  await hydrated(page);
  await page.getByText('Ask to start later', { exact: true }).click();
  await page.getByRole('button', { name: 'Ask for a later start' }).click();
  await page.getByText('Decline the offer', { exact: true }).click();
  await page.getByText('Withdraw your application', { exact: true }).first().click();
  await expectAccessible(page);
  await page.goto('/dashboard/letter');
  await expectAccessible(page);
});

test('a rejection and a past application: axe finds nothing', async ({ page, context, server }) => {
  const { reference } = await submittedByApi(context.request, newPerson());
  reject(server, reference, 16);
  await page.goto('/dashboard');
  await page.getByText('Apply again', { exact: true }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close this application and apply again' }).click();
  await page.goto('/dashboard');
  await page.getByRole('region', { name: 'Past applications' }).getByRole('link').click();
  await expectAccessible(page);
});

test('a message, and a change of the email under way: axe finds nothing', async ({ page, applicant }) => {
  await page.goto('/dashboard/messages');
  await page.getByRole('link', { name: /Application started/ }).click();
  await expectAccessible(page);
  const { email } = newPerson();
  await page.goto('/dashboard/account/email');
  await page.getByLabel('New email').fill(email);
  await page.getByLabel('Current password', { exact: true }).fill(applicant.password);
  await page.getByRole('button', { name: 'Send the links' }).click();
  await expect(page.getByText('Not confirmed yet')).toHaveCount(2);
  await expectAccessible(page);
  await page.goto(await linkTo(page.request, email));
  await expectAccessible(page);
});
