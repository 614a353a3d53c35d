import axe from 'axe-core';
import type { Locator, Page } from '@playwright/test';
import { answerEverything, jobTitle, saved } from './support/answers';
import { hydrated, wake } from './support/browser';
import { pages } from './support/pages';
import { newPerson, registerByApi, registerDialog } from './support/people';
import { expect, test } from './support/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that depend on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with the page as it is now: the rule, the element, and why. */
async function violations(page: Page, runOnly: axe.RunOptions['runOnly']): Promise<string[]> {
  const results = await page.evaluate(
    // The options of a select are drawn by the browser, and there are hundreds of them.
    (only) => (window as unknown as { axe: typeof axe }).axe.run({ exclude: ['option'] }, { runOnly: only }),
    runOnly,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/** Both themes at three widths: axe finds nothing, and nothing has to be scrolled sideways. */
async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `pixels to scroll sideways at ${width}`).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await violations(page, { type: 'tag', values: tags }), `light at ${width}`).toEqual([]);
    // The themes differ in nothing but colours.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await violations(page, { type: 'rule', values: colourRules }), `dark at ${width}`).toEqual([]);
  }
}

for (const { name, path, owner } of pages) {
  test(`${name}: well built, with a skip link that works, and axe finds nothing`, async ({
    page,
    context,
  }) => {
    if (owner === 'applicant') await registerByApi(context.request, newPerson(), 'ba');
    await page.goto(path);
    await expect(page).toHaveTitle(/\S.* – \S/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    // Behind an open dialog they are there, but hidden from assistive technology.
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
    await page.goto('/bachelor/application?fault=throw');
    await hydrated(page);
    await expectAccessible(page);
  });
});

test('an application with employers, errors and open menus: axe finds nothing', async ({
  page,
  applicant,
}) => {
  await page.goto('/bachelor/application');
  await hydrated(page);
  await page
    .getByRole('radiogroup', { name: 'Have you worked for anyone else before?' })
    .getByRole('radio', { name: 'Yes' })
    .check();
  await page.getByRole('button', { name: 'Add an employer' }).click();
  await page.getByRole('checkbox', { name: 'Self-pay' }).check();
  await page.getByRole('textbox', { name: 'Up front' }).fill('plenty');
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Up front' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('banner').getByText(applicant.firstName, { exact: true }).click();
  await expectAccessible(page);
});

test('an application that is checked, refused, submitted and withdrawn: axe finds nothing', async ({
  page,
  context,
}) => {
  test.slow();
  await registerByApi(context.request, newPerson(), 'ba');
  await page.goto('/bachelor/application');
  await answerEverything(page);
  await page.getByRole('button', { name: 'Check your answers and submit' }).click();
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
  await page.getByLabel('Why do you withdraw?').fill('I move.');
  await page.getByRole('button', { name: 'Withdraw your application' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
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
  expect(await violations(page, { type: 'tag', values: tags })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
});

/** Presses Tab until the focus is there. */
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

  const citizen = page.getByRole('radiogroup', { name: 'Are you a citizen of the United States?' });
  await tabTo(page, citizen.getByRole('radio', { name: 'Yes' }));
  await page.keyboard.press('ArrowRight');
  await expect(citizen.getByRole('radio', { name: 'No' })).toBeChecked();
  const state = page.getByLabel('In which state do you live?');
  await tabTo(page, state);
  await page.keyboard.type('Texas');
  await tabTo(page, jobTitle(page));
  await page.keyboard.type('Chief');
  await saved(page);
  await page.reload();
  await expect(citizen.getByRole('radio', { name: 'No' })).toBeChecked();
  await expect(state).toHaveValue('TX');
  await expect(jobTitle(page)).toHaveValue('Chief');
});

/** What is wrong with how the focus shows, at each stop of the Tab key. */
async function focusTroubles(page: Page): Promise<string[]> {
  const troubles: string[] = [];
  for (let stop = 0; stop < 100; stop += 1) {
    await page.keyboard.press('Tab');
    const trouble = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'end';
      // The button inside a date input is the browser's, and so is its outline.
      if (element.matches('[type=date]:not(:focus-visible)')) return null;
      // The large choices show it around the whole choice.
      const shown = element.closest('.choice') ?? element;
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
  { path: '/bachelor/application', width: 1280 },
  { path: '/dashboard/account', width: 1280 },
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
