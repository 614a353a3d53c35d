// Every kind of control by keyboard alone.
import type { Locator, Page } from '@playwright/test';
import {
  continueButton,
  currentEmployer,
  now,
  previousEmployer,
  questions,
  sectionPath,
  sections,
  yesNo,
} from './support/answers';
import type { SectionAnswers } from './support/answers';
import { hydrated, tabTo, wake } from './support/browser';
import { newPerson, registerDialog, submittedByApi } from './support/people';
import { logInStaff, newOwner, tab } from './support/staff';
import { expect, test } from './support/test';

test('a dialog opens, keeps the focus, and gives it back', async ({ page }) => {
  await page.goto('/bachelor/apply');
  await wake(page);
  const opener = page.getByRole('banner').getByRole('link', { name: 'Log in' });
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await expect(dialog).toBeVisible();
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    // The browser's own controls are the only other place for the focus.
    const place = await page.evaluate(() => {
      const element = document.activeElement!;
      return element === document.body || element.closest('dialog') !== null;
    });
    expect(place).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('the drawer of a phone opens and closes', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 480, height: 800 });
  await page.goto('/dashboard');
  await hydrated(page);
  const opener = page.getByRole('button', { name: 'Menu' });
  const drawer = page.getByRole('navigation', { name: 'Dashboard' });
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  await expect(drawer).toBeVisible();
  await tabTo(page, drawer.getByRole('link', { name: 'Documents' }));
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();
});

test('radios, a select, a check box and a disclosure answer to their keys', async ({
  signedInPage: page,
}) => {
  await page.goto(sectionPath('employment'));
  await hydrated(page);
  const question = page.getByRole('radiogroup', { name: 'Have you worked for anyone else before?' });
  const [yes, no] = [
    question.getByRole('radio', { name: 'Yes' }),
    question.getByRole('radio', { name: 'No' }),
  ];
  await no.focus();
  await page.keyboard.press('Space');
  await expect(no).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(yes).toBeChecked();
  await expect(yes).toBeFocused();

  await page.goto(sectionPath('about-you'));
  await hydrated(page);
  const state = page.getByLabel('In which state do you live?');
  await tabTo(page, state);
  await page.keyboard.type('Texas');
  await expect(state).toHaveValue('TX');

  await page.goto(sectionPath('financial-plan'));
  await hydrated(page);
  const box = page.getByRole('checkbox').first();
  await tabTo(page, box);
  const before = await box.isChecked();
  await page.keyboard.press('Space');
  await expect(box).toBeChecked({ checked: !before });

  await page.goto('/bachelor/apply');
  const question0 = page.locator('main details').first();
  await tabTo(page, question0.locator('summary'));
  await page.keyboard.press('Enter');
  await expect(question0).toHaveAttribute('open');
  await page.keyboard.press('Space');
  await expect(question0).not.toHaveAttribute('open');
});

test('the switch of the theme is three buttons', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await hydrated(page);
  const themes = page.getByRole('group', { name: 'Theme' });
  await tabTo(page, themes.getByRole('button', { name: 'Dark' }));
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(themes.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true');
  await expect(themes.getByRole('button', { name: 'Dark' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('the page of an application: tabs, disclosure and select', async ({ page, context, server }) => {
  const person = { ...newPerson(), lastName: 'Keyboardtabs' };
  await submittedByApi(context.request, person);
  const owner = newOwner(server);
  await logInStaff(page, owner);
  await page.goto(`/admin-panel/applications?tab=all&q=${person.lastName}`);
  await page.getByRole('row').filter({ hasText: person.lastName }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Demo ${person.lastName}`);
  await hydrated(page);
  await tabTo(page, tab(page, 'Timeline'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/timeline/);
  await expect(tab(page, 'Timeline')).toHaveAttribute('aria-current', 'page');
  const marks = page.locator('details').filter({ hasText: 'Change owner and tags' });
  await tabTo(page, marks.locator('summary'));
  await page.keyboard.press('Enter');
  const select = marks.getByLabel('Who looks after it');
  await tabTo(page, select);
  await page.keyboard.type(owner.email.slice(0, 12));
  await expect(select.locator('option:checked')).toHaveText(/owner/);
  await tabTo(page, marks.getByRole('button', { name: 'Assign' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText(owner.email);
});

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Steps through the options with the arrow keys until the value is chosen. */
async function pick(page: Page, field: Locator, value: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Home');
  for (let presses = 0; presses < 300; presses += 1) {
    if ((await field.inputValue()) === value) return;
    await page.keyboard.press('ArrowDown');
  }
  await expect(field).toHaveValue(value);
}

/** Tab reaches one radio of a group; arrow keys choose another. */
async function answer(page: Page, radio: Locator, other: Locator): Promise<void> {
  const isHere = (control: Locator) => control.evaluate((node) => node === document.activeElement);
  for (let presses = 0; presses < 90 && !(await isHere(radio)) && !(await isHere(other)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press((await isHere(radio)) ? 'Space' : 'ArrowDown');
  await expect(radio).toBeChecked();
}

async function tick(page: Page, box: Locator, isTicked: boolean): Promise<void> {
  if ((await box.isChecked()) === isTicked) return;
  await tabTo(page, box);
  await page.keyboard.press('Space');
}

async function answerSection(page: Page, { id, ...section }: SectionAnswers): Promise<void> {
  for (const [question, word] of section.yesNo ?? []) {
    const [radio, other] = [
      yesNo(page, question, word),
      yesNo(page, question, word === 'Yes' ? 'No' : 'Yes'),
    ];
    await answer(page, radio, other);
  }
  for (const [label, value] of section.selects ?? []) await pick(page, page.getByLabel(label), value);
  const [yes, no] = section.checked ?? [[], []];
  for (const name of yes) await tick(page, page.getByRole('checkbox', { name }), true);
  for (const name of no) await tick(page, page.getByRole('checkbox', { name }), false);
  for (const [label, text] of [...(section.texts ?? []), ...(section.followUps ?? [])])
    await type(page, page.getByLabel(label), text);
  if (id === 'employment') {
    await tabTo(page, page.getByRole('button', { name: 'Add an employer' }));
    await page.keyboard.press('Enter');
    for (const group of [currentEmployer(page), previousEmployer(page, 1)]) {
      await type(page, group.getByLabel('Employer name'), now.name);
      await type(page, group.getByLabel('Job title'), now.jobTitle);
      await type(page, group.getByLabel('Hours per week'), now.hours);
      await pick(page, group.getByLabel('Years in role'), now.years);
    }
  }
  if (id === 'financial-plan') {
    await type(page, page.getByRole('textbox', { name: 'Up front' }), '1200.50');
    await type(page, page.getByRole('textbox', { name: 'Each month' }), '99');
  }
}

test('a whole application, from the landing page to the thanks', async ({ page }) => {
  test.slow();
  const person = newPerson();
  await page.goto('/bachelor/apply');
  await wake(page);
  await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Apply now' }).first());
  await page.keyboard.press('Enter');
  const dialog = registerDialog(page);
  await type(page, dialog.getByLabel('First name'), person.firstName);
  await type(page, dialog.getByLabel('Last name'), person.lastName);
  await tabTo(page, dialog.getByLabel('Date of birth'));
  await page.keyboard.type('05171994');
  await pick(page, dialog.getByLabel('Country code'), 'US');
  await type(page, dialog.getByLabel('Phone number'), '555 555 0123');
  await pick(page, dialog.getByLabel('State'), 'VA');
  await type(page, dialog.getByRole('textbox', { name: 'Email', exact: true }), person.email);
  await type(page, dialog.getByLabel('Password', { exact: true }), person.password);
  await type(page, dialog.getByLabel('Repeat password', { exact: true }), person.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/bachelor/application');

  await tabTo(page, page.getByRole('link', { name: /^Begin: / }));
  await page.keyboard.press('Enter');
  for (const section of sections) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(section.title);
    await hydrated(page);
    const isLast = section.id === 'questions';
    await answerSection(page, isLast ? { ...section, ...questions.bachelor } : section);
    await tabTo(page, continueButton(page));
    await page.keyboard.press('Enter');
  }
  await expect(page).toHaveURL('/bachelor/application/check');
  await tabTo(page, page.getByRole('checkbox', { name: /truthfully/ }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Submit your application' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/thankyou', { timeout: 30_000 });
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
