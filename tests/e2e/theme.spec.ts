import type { Locator, Page } from '@playwright/test';
import { hydrated, wake } from './support/browser';
import { expect, test } from './support/test';

const colours = {
  light: { page: '#F6F2EA', text: '#3A4350', primary: '#48433B' },
  dark: { page: '#201F1E', text: '#FFFFFF', primary: '#FFFFFF' },
};

/** Returns `#RRGGBB` as a browser computes it. */
function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}

const style = (element: Locator, property: string) =>
  element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);

/** Records the page's background when its markup is parsed and at its first frame. */
async function watchFirstFrame(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => seen.push(getComputedStyle(document.documentElement).backgroundColor);
    addEventListener('DOMContentLoaded', look);
    requestAnimationFrame(look);
  });
}

const firstFrame = (page: Page) => page.evaluate(() => (window as unknown as { seen: string[] }).seen);

for (const scheme of ['light', 'dark'] as const) {
  for (const path of ['/bachelor/apply', '/reset-password']) {
    test(`a ${scheme} system gets the ${scheme} theme from the first frame of ${path} on`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await watchFirstFrame(page);
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'system');
      const seen = await firstFrame(page);
      expect(seen.length).toBeGreaterThan(1);
      expect(new Set(seen)).toEqual(new Set([rgb(colours[scheme].page)]));
    });
  }

  const other = scheme === 'light' ? 'dark' : 'light';
  test(`a chosen ${scheme} theme wins over a ${other} system, from the first frame on`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: other });
    await page.goto('/bachelor/apply');
    await wake(page);
    const stored = page.waitForResponse('**/theme');
    await page.getByRole('button', { name: scheme === 'light' ? 'Light' : 'Dark', exact: true }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
    await stored;

    await watchFirstFrame(page);
    for (const path of ['/bachelor/apply', '/masters/apply', '/reset-password', '/nowhere']) {
      await page.goto(path);
      expect(new Set(await firstFrame(page)), path).toEqual(new Set([rgb(colours[scheme].page)]));
      await expect(page.locator('html')).toHaveAttribute('data-theme', scheme);
    }
  });

  test(`the ${scheme} theme has the colours it was given`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/bachelor/apply');
    await expect(page.locator('html')).toHaveCSS('background-color', rgb(colours[scheme].page));
    await expect(page.locator('body')).toHaveCSS('color', rgb(colours[scheme].text));
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', rgb(colours[scheme].primary));
  });
}

test('system follows the system while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/bachelor/apply');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveCSS('background-color', rgb(colours.dark.page));
});

test('light: the accent, its hover, the secondary colour and the brown of hairlines', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/bachelor/apply');
  const apply = page.getByRole('main').getByRole('link', { name: 'Apply now' }).first();
  await expect(apply).toHaveCSS('background-color', rgb('#A54040'));
  await apply.hover();
  await expect(apply).toHaveCSS('background-color', rgb('#E25970'));
  await expect(page.getByRole('banner')).toHaveCSS('border-top-color', rgb('#572626'));
  await expect(page.getByRole('banner')).toHaveCSS('border-bottom-color', rgb('#B3A9A0'));
});

test('dark: paper, the black that is only a surface, and Work Sans in the menu', async ({
  signedInPage: page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/dashboard');
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  await expect(menu).toHaveCSS('background-color', rgb('#0D0D0D'));
  expect(await style(menu.getByRole('link').first(), 'font-family')).toMatch(/^"?Work Sans/);
  await expect(menu.getByRole('link').first()).toHaveCSS('color', rgb('#FFFFFF'));
  await page.goto('/bachelor/application');
  await expect(page.locator('.save-state')).toHaveCSS('background-color', rgb('#2C2C2C'));
});

for (const scheme of ['light', 'dark'] as const) {
  test(`${scheme}: buttons have 2 px corners and 15 by 30 px inside, inputs are white with 5 px corners`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/bachelor/apply?dialog=register');
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Create account' });
    await expect(button).toHaveCSS('border-top-left-radius', '2px');
    await expect(button).toHaveCSS('padding', '15px 30px');
    for (const input of [dialog.getByLabel('First name'), dialog.getByLabel('Country code')]) {
      await expect(input).toHaveCSS('background-color', rgb('#FFFFFF'));
      await expect(input).toHaveCSS('border-top-left-radius', '5px');
    }
  });
}

test('the loading screen lies over everything and moves its dots as given', async ({ page }) => {
  await page.goto('/bachelor/apply');
  await wake(page);
  await page.route(
    (url) => url.pathname === '/masters/apply',
    () => new Promise(() => {}),
  );
  await page.getByRole('banner').getByRole('link', { name: 'Master’s' }).click();
  const screen = page.locator('.loading-screen');
  await expect(screen).toHaveText(/^Loading/);
  await expect(screen).toHaveCSS('z-index', '9999');
  const dots = screen.locator('.loading-dots span');
  await expect(dots).toHaveCount(3);
  for (const [index, delay] of ['0s', '0.2s', '0.4s'].entries()) {
    await expect(dots.nth(index)).toHaveCSS('animation-duration', '1.4s');
    await expect(dots.nth(index)).toHaveCSS('animation-delay', delay);
  }
});

test('the fonts are ours: PT Serif and Public Sans, and nothing is asked of another host', async ({
  page,
  baseURL,
}) => {
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await page.goto('/reset-password');
  await hydrated(page);
  expect(await style(page.locator('body'), 'font-family')).toMatch(/^"?PT Serif/);
  expect(await style(page.getByRole('heading', { level: 1 }), 'font-family')).toMatch(/^"?Public Sans/);
  const loaded = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts]
      .filter((font) => font.status === 'loaded')
      .map((font) => font.family.replaceAll('"', ''));
  });
  expect(loaded).toEqual(expect.arrayContaining(['PT Serif', 'Public Sans']));
  expect([...hosts]).toEqual([baseURL]);
});
