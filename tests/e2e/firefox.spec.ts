// The main path in the other engine: Firefox over WebDriver BiDi, since Playwright only drives its own build of it.

import puppeteer, { type Page } from 'puppeteer-core';
import { firefox } from '../../scripts/firefox.mjs';
import { newPerson, shortAnswers } from './support/people';
import { expect, test } from './support/test';

/** Fills an input by name, including dates, whose fields take typing differently in every browser. */
const fill = (page: Page, name: string, value: string) =>
  page.$eval(
    `[name="${name}"]`,
    (input, typed) => {
      const prototype = Object.getPrototypeOf(input) as object;
      Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(input, typed);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    value,
  );

const click = (page: Page, name: string) => page.locator(`::-p-aria(${name})`).click();
/** Waits until React has hydrated the page. */
const awake = (page: Page) =>
  page.waitForFunction(() => {
    const screen = document.querySelector('#root > *');
    return screen !== null && Object.keys(screen).some((key) => key.startsWith('__reactFiber'));
  });
const path = (page: Page) => new URL(page.url()).pathname;
const heading = (page: Page) => page.$eval('h1', (element) => element.textContent);

test('somebody registers, fills in, submits, goes back and logs out in Firefox', async ({ server }) => {
  test.slow();
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox(), headless: true });
  try {
    const page = await browser.newPage();
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(String(error)));
    const person = newPerson();
    await page.goto(`${server.url}/bachelor/apply?dialog=register`);
    for (const [name, value] of Object.entries({
      firstName: person.firstName,
      lastName: person.lastName,
      dateOfBirth: '1994-05-17',
      country: 'US',
      phoneNumber: '5550123456',
      state: 'VA',
      email: person.email,
      password: person.password,
      passwordRepeat: person.password,
    }))
      await fill(page, name, value);
    await click(page, 'Create account');
    await expect.poll(() => path(page)).toBe('/bachelor/application');

    // Input is saved automatically, and is still there after a reload.
    await page.goto(`${server.url}/bachelor/application/employment`);
    await awake(page);
    await fill(page, 'employment.currentEmployer.name', 'Demo Works 王小明');
    await expect
      .poll(() => page.$eval('.save-state', (element) => element.textContent), { timeout: 15_000 })
      .toContain('Saved');
    await page.reload();
    expect(
      await page.$eval(
        '[name="employment.currentEmployer.name"]',
        (input) => (input as HTMLInputElement).value,
      ),
    ).toBe('Demo Works 王小明');

    const saved = await page.evaluate(async (answers) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('auth_token')}`,
      };
      const body = JSON.stringify(answers);
      return (await fetch('/api/users/application', { method: 'POST', headers, body })).status;
    }, shortAnswers);
    expect(saved).toBe(200);

    await page.goto(`${server.url}/bachelor/application/check`);
    await awake(page);
    await page.locator('[name="declaration"]').click();
    await click(page, 'Submit your application');
    await expect.poll(() => path(page)).toBe('/thankyou');
    expect(await heading(page)).toBe('Thank you. We have your application.');
    await page.goBack();
    await expect.poll(() => heading(page)).toContain('Your application for the');

    await page.goto(`${server.url}/dashboard`);
    expect(await page.$eval('#status-heading', (element) => element.textContent)).toBe('Submitted');
    await page.goto(`${server.url}/schedule`);
    expect(await heading(page)).toMatch(/^(Book your interview|Three times that suit you)$/);
    expect(thrown).toEqual([]);
  } finally {
    await browser.close();
  }
});
