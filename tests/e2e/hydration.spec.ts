import type { Page } from '@playwright/test';
import { SAVED, jobTitle, saveAndLeave, sectionPath } from './support/answers';
import { complaints, expectSameDocument, hydrated, markDocument, wake } from './support/browser';
import { pages } from './support/pages';
import { fillRegistration, newPerson, registerByApi, registerDialog } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, expectComplaint, test } from './support/test';

for (const { name, path, owner, status = 200 } of pages) {
  test(`${name}: nothing to complain about, in the console, on the network or by the policy`, async ({
    page,
    context,
  }) => {
    if (owner === 'applicant') await registerByApi(context.request, newPerson(), 'ba');
    const heard = complaints(page);
    const response = await page.goto(path);
    expect(response!.status()).toBe(status);
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    // Browsers log in their console that a document was not found.
    expect(heard.filter((line) => status === 200 || !line.includes(`status of ${status}`))).toEqual([]);
  });
}

test('a landing page has only its own styles inside, and looks the same with all of them', async ({
  page,
}) => {
  await page.goto('/bachelor/apply');
  await page.evaluate(() => document.fonts.ready);
  const inside = page.locator('style[data-whole]');
  await expect(inside).toHaveCount(1);
  const before = await page.screenshot({ fullPage: true });
  await wake(page);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expect(inside).toHaveCount(0);
  await expect(page.locator('link[rel="stylesheet"]')).toHaveCount(1);
  expect((await page.screenshot({ fullPage: true })).equals(before)).toBe(true);
});

/** Returns emotion classes in the document that are in no stylesheet. */
const unstyled = (page: Page) =>
  page.evaluate(() => {
    const classesIn = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => {
        if (rule instanceof CSSStyleRule) return rule.selectorText.match(/css-[a-z\d]+/g) ?? [];
        return rule instanceof CSSGroupingRule ? classesIn(rule.cssRules) : [];
      });
    const known = new Set([...document.styleSheets].flatMap((sheet) => classesIn(sheet.cssRules)));
    const used = [...document.querySelectorAll('[class*=css-]')].flatMap(({ classList }) => [...classList]);
    return [...new Set(used)].filter((name) => /^css-[a-z\d]+$/.test(name) && !known.has(name));
  });

test('what opens later has its styles', async ({ signedInPage: page }) => {
  await page.goto('/dashboard');
  await wake(page);
  // Classes without any declarations.
  const empty = await unstyled(page);
  await page.getByRole('banner').locator('summary').click();
  const menu = page.getByRole('menu', { name: 'Your pages' });
  await expect(menu).toBeVisible();
  expect(await unstyled(page)).toEqual(empty);
  await menu.getByRole('menuitem', { name: 'Account' }).click();
  await expect(page).toHaveURL('/dashboard/account');
  await expect(menu).toHaveCount(0);
  const softly = await unstyled(page);
  await page.reload();
  expect(softly).toEqual(await unstyled(page));
});

test('text typed before the page answers to JavaScript is still there when it does', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/bachelor/apply?dialog=login', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('jordan@example.org');
  await dialog.getByLabel('Password', { exact: true }).fill('four words in a row');
  release();
  await hydrated(page);
  await expect(dialog.getByRole('button', { name: 'Show password' })).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue('jordan@example.org');
  const password = dialog.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await page.keyboard.type(', or five');
  await expect(password).toHaveValue('four words in a row, or five');
});

test('an answer given before the form answers to JavaScript is kept and saved', async ({
  signedInPage: page,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(sectionPath('employment'), { waitUntil: 'commit' });
  await jobTitle(page).fill('Chief');
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/users/application') && response.request().method() === 'POST',
  );
  release();
  expect((await saved).status()).toBe(200);
  await expect(jobTitle(page)).toHaveValue('Chief');
});

test('what is changed in a text of the office before the page answers to JavaScript is kept', async ({
  page,
  server,
}) => {
  await logInStaff(page, newOwner(server));
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/admin-panel/contracts/templates/masters', { waitUntil: 'commit' });
  const text = page.getByRole('textbox', { name: 'English', exact: true });
  const starter = await text.inputValue();
  await text.press('Home');
  await page.keyboard.type('Typed early. ');
  const typed = await text.inputValue();
  expect(typed).not.toBe(starter);
  release();
  await hydrated(page);
  await expect(text).toHaveValue(typed);
  // The caret has kept its position.
  await page.keyboard.type('And late. ');
  await expect(text).toHaveValue(typed.replace('Typed early. ', 'Typed early. And late. '));
});

test('when the scripts cannot be fetched, links and forms do the same by loading pages', async ({ page }) => {
  expectComplaint(/net::ERR_FAILED/);
  await page.route('**/assets/*.js', (route) => route.abort());
  const person = newPerson();
  await page.goto('/bachelor/apply');
  await page.getByRole('main').getByRole('link', { name: 'Apply now' }).first().click();
  await expect(page).toHaveURL('/bachelor/apply?dialog=register');
  await fillRegistration(registerDialog(page), person);
  await registerDialog(page).getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/bachelor/application');
  await page.getByRole('main').getByRole('link', { name: 'Employment', exact: true }).click();
  await jobTitle(page).fill('Chief');
  await saveAndLeave(page);
  await expect(page.getByText(SAVED)).toBeVisible();
  await page.goto(sectionPath('employment'));
  await expect(jobTitle(page)).toHaveValue('Chief');
});

test.describe('soft navigation', () => {
  test('goes from page to page in one document, with title, focus and the drawer following', async ({
    signedInPage: page,
  }) => {
    await page.goto('/dashboard');
    await hydrated(page);
    await markDocument(page);
    const menu = page.getByRole('navigation', { name: 'Dashboard' });

    await menu.getByRole('link', { name: 'Account' }).click();
    await expect(page).toHaveURL('/dashboard/account');
    await expect(page).toHaveTitle(/^Account – /);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(menu.getByRole('link', { name: 'Account' })).toHaveAttribute('aria-current', 'page');

    await menu.getByRole('link', { name: 'Application' }).click();
    await expect(page).toHaveURL('/bachelor/application');
    await expect(page).toHaveTitle(/^Application – /);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

    await page.goBack();
    await expect(page).toHaveURL('/dashboard/account');
    await expect(page).toHaveTitle(/^Account – /);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your admission');
    await page.goForward();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
    await expectSameDocument(page);
  });

  test('Back returns to where the page was scrolled', async ({ page }) => {
    await page.goto('/bachelor/apply');
    await wake(page);
    await markDocument(page);
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: 'Master’s program' })
      .scrollIntoViewIfNeeded();
    const left = await page.evaluate(() => scrollY);
    expect(left).toBeGreaterThan(500);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Master’s program' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Master’s program');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bachelor’s program');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
    await expectSameDocument(page);
  });

  test('a guard is followed: a stranger who goes to the dashboard is asked to log in', async ({
    signedInPage: page,
  }) => {
    await page.goto('/dashboard');
    await hydrated(page);
    await page.context().clearCookies();
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' }).click();
    await expect(page).toHaveURL('/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount');
    await expect(page.getByRole('dialog', { name: 'Log in' })).toBeVisible();
  });

  test('a page that is not there is told as such, and Back leads home', async ({ page }) => {
    await page.goto('/bachelor/apply');
    await wake(page);
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = '/nowhere';
      link.textContent = 'Nowhere';
      document.querySelector('main')!.prepend(link);
    });
    await page.getByRole('link', { name: 'Nowhere' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    await expect(page).toHaveURL('/nowhere');
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bachelor’s program');
  });

  test('a link that turns out to be a file leaves the page as it is', async ({ signedInPage: page }) => {
    await page.goto('/dashboard');
    await hydrated(page);
    await markDocument(page);
    await page.route('**/file', (route) =>
      route.fulfill({
        contentType: 'text/plain',
        headers: { 'Content-Disposition': 'attachment; filename="file.txt"' },
        body: 'file',
      }),
    );
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = '/file';
      link.textContent = 'File';
      document.querySelector('main')!.prepend(link);
    });
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'File' }).click();
    expect((await saved).suggestedFilename()).toBe('file.txt');
    await expect(page.locator('html')).not.toHaveAttribute('data-loading');
    await expect(page).toHaveURL('/dashboard');
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your admission');
    await expectSameDocument(page);
  });
});

test.describe('when rendering fails', () => {
  test.use({ expectedErrors: [[/a page could not be rendered/], { scope: 'test' }] });

  test('on the server by throwing: the crash screen with a true status', async ({ page }) => {
    expectComplaint(/status of 500/);
    const response = await page.goto('/bachelor/application?fault=throw');
    expect(response!.status()).toBe(500);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong');
    await expect(page.getByText('An unexpected error occurred', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reload Application', exact: true })).toBeVisible();
    await expect(page.getByText('An error occurred while rendering the application')).toBeVisible();
  });

  for (const fault of ['loop', 'heap']) {
    test(`on the server by a ${fault}: a 503 whose page the browser makes usable`, async ({
      page,
      context,
    }) => {
      await registerByApi(context.request, newPerson(), 'ba');
      expectComplaint(/status of 503/);
      const response = await page.goto(`${sectionPath('employment')}?fault=${fault}`);
      expect(response!.status()).toBe(503);
      expect(response!.headers()['retry-after']).toBeTruthy();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Employment');
      await jobTitle(page).fill('Chief');
      await expect(page.getByText(SAVED)).toBeVisible();
    });
  }

  test('in the browser: the crash screen with the error’s message', async ({ signedInPage: page }) => {
    expectComplaint(/Cannot read properties of undefined/);
    await page.goto('/dashboard');
    await hydrated(page);
    await page.route('**/dashboard/account', async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { props: unknown };
      await route.fulfill({ response: answer, json: { ...json, props: {} } });
    });
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong');
    await expect(page.getByText(/Cannot read properties of undefined/)).toBeVisible();
  });

  test('Reload Application forgets the token and the session’s storage, and loads the page anew', async ({
    signedInPage: page,
  }) => {
    await page.goto('/dashboard');
    await page.evaluate(() => {
      localStorage.setItem('auth_token', 'a token');
      localStorage.setItem('kept', 'yes');
      sessionStorage.setItem('gone', 'yes');
    });
    expectComplaint(/status of 500/);
    await page.goto('/bachelor/application?fault=throw');
    await hydrated(page);
    await markDocument(page);
    await page.getByRole('button', { name: 'Reload Application' }).click();
    await expect.poll(() => page.evaluate(() => 'documentMarker' in window)).toBe(false);
    await expect(page).toHaveURL('/bachelor/application?fault=throw');
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
    expect(await page.evaluate(() => localStorage.getItem('kept'))).toBe('yes');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});
