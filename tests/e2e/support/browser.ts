import type { ConsoleMessage, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Until React answers on the page that was loaded. The landing page only wakes up when somebody is about to use it. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const screen = document.querySelector('#root > *');
    return screen !== null && Object.keys(screen).some((key) => key.startsWith('__reactFiber'));
  });
}

/** Shows the landing page a first intent, which makes it fetch the rest. */
export async function wake(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await hydrated(page);
}

const MARKER = 'documentMarker';

/** Marks the document, to tell a soft navigation from a load. */
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

/** Everything a browser complains about on a page: its console, its network, its policy. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message: ConsoleMessage) => {
    if (['warning', 'error'].includes(message.type())) heard.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`thrown: ${error.message}`));
  page.on('requestfailed', (request) => {
    const error = request.failure()?.errorText;
    // What was still on its way when the page was left is no complaint.
    if (error !== 'net::ERR_ABORTED') heard.push(`failed: ${request.url()} ${error}`);
  });
  page.on('response', (response) => {
    const isDocument = response.request().resourceType() === 'document';
    if (response.status() >= 400 && !isDocument) heard.push(`${response.status()}: ${response.url()}`);
  });
  return heard;
}
