import axe from 'axe-core';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that depend on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

export const allRules: axe.RunOptions['runOnly'] = { type: 'tag', values: tags };

/** What axe finds wrong with the page as it is now: the rule, the element, and why. */
export async function violations(page: Page, runOnly: axe.RunOptions['runOnly']): Promise<string[]> {
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
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    // What a script places follows a moment later.
    await expect.poll(overflow, `pixels to scroll sideways at ${width}`).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await violations(page, allRules), `light at ${width}`).toEqual([]);
    // The themes differ in nothing but colours.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await violations(page, { type: 'rule', values: colourRules }), `dark at ${width}`).toEqual([]);
  }
}
