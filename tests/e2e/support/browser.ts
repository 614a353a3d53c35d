import type { ConsoleMessage, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Waits until React has hydrated the page. A landing page only wakes when the user is about to interact. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const screen = document.querySelector('#root > *');
    return screen !== null && Object.keys(screen).some((key) => key.startsWith('__reactFiber'));
  });
}

/** Wakes a landing page by focusing a link, which makes it load the rest. */
export async function wake(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await hydrated(page);
}

const MARKER = 'documentMarker';

/** Marks the document, to distinguish a soft navigation from a page load. */
export function markDocument(page: Page): Promise<void> {
  return page.evaluate((marker) => void Object.assign(window, { [marker]: true }), MARKER);
}

export async function expectSameDocument(page: Page): Promise<void> {
  expect(await page.evaluate((marker) => marker in window, MARKER), 'the document is still the same').toBe(
    true,
  );
}

/** Presses Tab until the control has the focus. */
export async function tabTo(page: Page, control: Locator, { atMost = 90 } = {}): Promise<void> {
  for (let presses = 0; presses < atMost; presses += 1) {
    if (await control.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(control).toBeFocused();
}

/** Collects everything a browser complains about on a page: its console, its network, its policy. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message: ConsoleMessage) => {
    if (['warning', 'error'].includes(message.type())) heard.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`thrown: ${error.message}`));
  page.on('requestfailed', (request) => {
    const error = request.failure()?.errorText;
    // Requests aborted by leaving the page are not complaints.
    if (error !== 'net::ERR_ABORTED') heard.push(`failed: ${request.url()} ${error}`);
  });
  page.on('response', (response) => {
    const isDocument = response.request().resourceType() === 'document';
    if (response.status() >= 400 && !isDocument) heard.push(`${response.status()}: ${response.url()}`);
  });
  return heard;
}
