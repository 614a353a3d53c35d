import axe from 'axe-core';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { hydrated } from './browser';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that depend on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

export const allRules: axe.RunOptions['runOnly'] = { type: 'tag', values: tags };

/** Returns axe's findings for the current page: the rule, the element, and the reason. */
export async function violations(page: Page, runOnly: axe.RunOptions['runOnly']): Promise<string[]> {
  const results = await page.evaluate(
    // A select's options are drawn by the browser, and there are hundreds of them.
    (only) => (window as unknown as { axe: typeof axe }).axe.run({ exclude: ['option'] }, { runOnly: only }),
    runOnly,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/** Expects no axe findings and no horizontal scrolling, in both themes at three widths. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    // Script-positioned elements follow a moment later.
    await expect.poll(overflow, `pixels to scroll sideways at ${width}`).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await violations(page, allRules), `light at ${width}`).toEqual([]);
    // The themes differ only in colours.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await violations(page, { type: 'rule', values: colourRules }), `dark at ${width}`).toEqual([]);
  }
}

/** The same for a page that goes on to be used: once it can be, and at its usual size afterwards. */
export async function expectAccessibleMidway(page: Page): Promise<void> {
  await hydrated(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });
}
