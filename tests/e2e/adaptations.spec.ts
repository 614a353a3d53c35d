// Pages in system colours, on narrow screens, enlarged, and in print.
import type { Page } from '@playwright/test';
import { sectionPath } from './support/answers';
import { hydrated, wake } from './support/browser';
import { newPerson, registerByApi, submittedByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';
import type { Server } from './support/server';

/** One page of each kind for an applicant. */
const APPLICANTS = [
  '/bachelor/apply',
  '/bachelor/apply?dialog=register',
  '/bachelor/inquire',
  '/bachelor/application',
  sectionPath('employment'),
  sectionPath('about-you'),
  '/dashboard',
  '/dashboard/documents',
  '/dashboard/references',
  '/dashboard/account',
];

/** The same for the office; the path of an application is taken from the list. */
const OFFICE = [
  '/admin-panel/applications?tab=all',
  '/admin-panel/applications/figures',
  '/admin-panel/questionnaires/bachelor',
  '/admin-panel/finance',
  '/admin-panel/fee-codes',
  '/admin-panel/settings/mails',
  '/admin-panel/account',
  '/admin-panel/account/keys',
];

/** Further pages with other elements that may be too wide. */
const MORE_OF_OFFICE = [
  '/admin-panel/committee',
  '/admin-panel/decisions',
  '/admin-panel/waitlist',
  '/admin-panel/interviews',
  '/admin-panel/admins',
  '/admin-panel/contracts/templates/bachelor',
  '/admin-panel/prospects',
  '/admin-panel/open-days',
  '/admin-panel/settings/deliveries',
  '/admin-panel/settings/webhooks',
  '/admin-panel/settings/sign-on',
  '/admin-panel/imports',
];

async function enterOffice(page: Page, server: Server): Promise<string[]> {
  await submittedByApi(page.context().request, newPerson());
  await logInStaff(page, newOwner(server));
  await page.goto('/admin-panel/applications?tab=all');
  const dossier = await page
    .locator('tbody a[href^="/admin-panel/applications/"]')
    .first()
    .getAttribute('href');
  const own = dossier!.split('?')[0]!;
  return [...OFFICE, own, `${own}/documents`, `${own}/notes`];
}

/**
 * Returns controls that become invisible when system colours remove backgrounds and shadows: without border, outline,
 * line or icon.
 */
const shapeless = (page: Page) =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'input:not([type=hidden]):not([type=radio]):not([type=checkbox]), select, textarea, .MuiButton-contained, .MuiButton-outlined, progress',
    );
    const hasShape = (element: HTMLElement): boolean => {
      const { borderBottomStyle, borderBottomWidth, outlineStyle } = getComputedStyle(element);
      return (borderBottomStyle !== 'none' && borderBottomWidth !== '0px') || outlineStyle !== 'none';
    };
    return [...controls]
      .filter(
        (control) =>
          control.checkVisibility({ opacityProperty: true }) && !control.closest('.visually-hidden'),
      )
      .filter((control) => control.tabIndex >= 0 || control.tagName === 'PROGRESS')
      .filter((control) => {
        const field = control.closest<HTMLElement>('.MuiInputBase-root');
        const notch = field?.querySelector<HTMLElement>('fieldset');
        // For a file input, its button has the shape.
        const label = control.closest<HTMLElement>('label');
        return ![control, field, notch, label].some((element) => element && hasShape(element));
      })
      .map((control) => control.outerHTML.slice(0, 160));
  });

/** Goes to the next control by keyboard, which must be marked by an outline: system colours keep outlines. */
async function expectFocusShown(page: Page): Promise<void> {
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      if (element === document.body) return undefined;
      const marks = [
        element,
        element.closest('.MuiInputBase-root'),
        element.closest('label'),
        element.nextElementSibling,
      ];
      const isMarked = marks.some((mark) => mark && getComputedStyle(mark).outlineStyle !== 'none');
      return isMarked ? undefined : element.outerHTML.slice(0, 160);
    });
    expect(focused, 'the control in focus has no outline').toBeUndefined();
  }
}

test.describe('in the system’s colours', () => {
  test.use({ forcedColors: 'active' });

  test('controls of applicants keep a shape, and the focus is seen', async ({ page, context }) => {
    test.slow();
    await registerByApi(context.request, newPerson(), 'ba');
    for (const path of APPLICANTS) {
      await page.goto(path);
      expect(await shapeless(page), path).toEqual([]);
      await expectFocusShown(page);
    }
    await page.goto('/dashboard');
    const open = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Dashboard' });
    await expect(open).toHaveAttribute('aria-current', 'page');
    await expect(open).toHaveCSS('border-inline-start-style', 'solid');
  });

  test('controls of the office keep a shape, and the focus is seen', async ({ page, server }) => {
    test.slow();
    for (const path of await enterOffice(page, server)) {
      await page.goto(path);
      expect(await shapeless(page), path).toEqual([]);
      await expectFocusShown(page);
    }
  });

  test('what is chosen differs from what is not by more than its colour', async ({ signedInPage: page }) => {
    await page.goto(sectionPath('employment'));
    await hydrated(page);
    const question = page.getByRole('radiogroup', { name: 'Have you worked for anyone else before?' });
    const yes = question.getByRole('radio', { name: 'Yes' });
    const before = await question.screenshot();
    await yes.check();
    await page.mouse.move(0, 0);
    await yes.blur();
    expect((await question.screenshot()).equals(before)).toBe(false);
  });
});

/** Returns the width of a page that scrolls sideways, and what causes it. Wide tables scroll inside their own frame. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth: width, scrollWidth } = document.documentElement;
    if (scrollWidth <= width) return [];
    const isFramed = (element: HTMLElement | null): boolean =>
      element !== null &&
      (getComputedStyle(element).overflowX !== 'visible' || isFramed(element.parentElement));
    const culprits = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
      (element) => element.getBoundingClientRect().right > width + 1 && !isFramed(element.parentElement),
    );
    return [`${scrollWidth} px`, ...culprits.slice(0, 8).map((element) => element.outerHTML.slice(0, 120))];
  });

/** Ways of enlarging a page: a zoomed browser shows it in fewer CSS pixels. */
const SIZES = [
  { name: 'at 320 px', width: 320, textSize: 16 },
  { name: 'at 1280 px enlarged to 400 %', width: 320, textSize: 16, deviceScaleFactor: 4 },
  { name: 'at 1280 px enlarged to 200 %', width: 640, textSize: 16, deviceScaleFactor: 2 },
  { name: 'at twice the text size', width: 1280, textSize: 32 },
  { name: 'at twice the text size on a phone', width: 360, textSize: 32 },
];

for (const { name, width, textSize, deviceScaleFactor } of SIZES) {
  test.describe(name, () => {
    test.use({ viewport: { width, height: 720 }, deviceScaleFactor });

    test('no page is wider than the window', async ({ page, context, server }) => {
      test.slow();
      // Sets the browser's font size, not the page's: rem and media queries are based on it.
      const session = await context.newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: textSize } });
      const office = await enterOffice(page, server);
      const found: Record<string, string[]> = {};
      const own = office.at(-3)!;
      const tabs = ['timeline', 'messages', 'readings', 'decision'].map((tab) => `${own}/${tab}`);
      const more = [...tabs, ...MORE_OF_OFFICE];
      for (const path of [...APPLICANTS, ...office, ...more]) {
        await page.goto(path);
        // Collapsed content is included.
        await page.evaluate(() => {
          for (const folded of document.querySelectorAll<HTMLDetailsElement>('main details'))
            folded.open = true;
        });
        const root = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
        expect(parseFloat(root), path).toBeGreaterThanOrEqual(textSize);
        const wide = await tooWide(page);
        if (wide.length > 0) found[path] = wide;
      }
      expect(found).toEqual({});
    });
  });
}

test.describe('at 320 px without JavaScript', () => {
  const viewport = { width: 320, height: 720 };
  test.use({ viewport });

  test('no page of an applicant is wider than the window', async ({ request, browser, baseURL }) => {
    test.slow();
    await submittedByApi(request, newPerson());
    const storageState = await request.storageState();
    const plain = await browser.newContext({
      javaScriptEnabled: false,
      storageState,
      viewport,
      baseURL: baseURL!,
    });
    const found: Record<string, string[]> = {};
    for (const path of APPLICANTS) {
      const page = await plain.newPage();
      await page.goto(path);
      const wide = await tooWide(page);
      if (wide.length > 0) found[path] = wide;
      await page.close();
    }
    expect(found).toEqual({});
    await plain.close();
  });
});

/** Interactive parts, not meant for reading. */
const TOOLS =
  '.MuiButton-root, .drawer, .site-nav, .viewer-menu, .dossier-about, .dossier-acts, .dossier > nav, .dossier summary';

test.describe('on paper', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`pages are black on white, without what is only to be clicked (${colorScheme})`, async ({
      page,
      server,
    }) => {
      test.slow();
      const office = await enterOffice(page, server);
      await page.emulateMedia({ media: 'print', colorScheme });
      for (const path of [
        '/bachelor/apply',
        '/dashboard',
        '/bachelor/application',
        office[0]!,
        office.at(-3)!,
      ]) {
        await page.goto(path);
        expect(
          await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
          path,
        ).toBe('rgb(255, 255, 255)');
        const text = await page
          .getByRole('heading', { level: 1 })
          .evaluate((heading) => getComputedStyle(heading).color.match(/\d+/g)!.map(Number));
        expect(Math.max(...text.slice(0, 3)), path).toBeLessThan(128);
        await expect(page.getByRole('main'), path).toBeVisible();
        for (const tool of await page.locator(TOOLS).all()) await expect(tool, path).toBeHidden();
        expect(await tooWide(page), path).toEqual([]);
      }
    });
  }

  test('what is folded on the screen is read on paper', async ({ page }) => {
    await page.goto('/bachelor/apply');
    await wake(page);
    const answer = page.locator('details').first().locator(':scope > :not(summary)').first();
    await expect(answer).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(answer).toBeVisible();
  });
});
