import type { Page } from '@playwright/test';
import { hydrated } from './support/browser';
import { expect, test } from './support/test';

/** Holds back the answers of a path until the returned function is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${path}`, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

const toAccount = (page: Page) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' }).click();

for (const scheme of ['light', 'dark'] as const) {
  test(`a page that takes long shows a bar at once and a screen after a second (${scheme})`, async ({
    signedInPage: page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/dashboard');
    await hydrated(page);
    const bar = page.getByRole('progressbar', { name: 'Loading', exact: true });
    const screen = page.locator('.loading-screen');
    await expect(bar).toHaveCount(0);
    const release = await hold(page, '/dashboard/account');
    // What is shown in the frame after the click, and whether anything moved.
    const first = page.evaluate(async () => {
      const placed = () => JSON.stringify(document.querySelector('main h1')!.getBoundingClientRect());
      const before = placed();
      await new Promise((clicked) => addEventListener('click', clicked, { once: true }));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return {
        bars: document.querySelectorAll('progress.waiting-bar').length,
        screens: document.querySelectorAll('.loading-screen').length,
        moved: placed() !== before,
      };
    });
    await toAccount(page);
    expect(await first).toEqual({ bars: 1, screens: 0, moved: false });
    await expect(bar).toBeVisible();
    const colours = await bar.evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(document.documentElement).backgroundColor,
    ]);
    expect(contrast(colours[0]!, colours[1]!)).toBeGreaterThan(3);
    await expect(screen).toBeVisible();
    release();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
    await expect(bar).toHaveCount(0);
    await expect(screen).toHaveCount(0);
  });
}

test('the bar stands still for whoever wants nothing to move', async ({ signedInPage: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/dashboard');
  await hydrated(page);
  const release = await hold(page, '/dashboard/account');
  await toAccount(page);
  const bar = page.getByRole('progressbar', { name: 'Loading', exact: true });
  await expect(bar).toBeVisible();
  expect(await bar.evaluate((element) => element.getAnimations().length)).toBe(0);
  const { width } = (await bar.boundingBox())!;
  expect(width).toBe(page.viewportSize()!.width);
  release();
  await expect(bar).toHaveCount(0);
});

/** Contrast ratio according to WCAG 2.2, of two colours as `rgb(r, g, b)`. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = colour
      .match(/[\d.]+/g)!
      .map((part) => Number(part) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}
