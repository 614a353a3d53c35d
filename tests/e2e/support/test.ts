/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs, also when it is nothing */

import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { newPerson, registerByApi, type Person } from './people';
import { Server } from './server';

interface TestFixtures {
  /** Errors that the server may log in this test; any other fails it. */
  expectedErrors: RegExp[];
  /** A server only for this test: to be stopped, killed and restarted. */
  ownServer: Server;
  /** A person with a new account and a bachelor's application, signed in in the test's browser. */
  applicant: Person;
  /** A page in the browser of such a person, for tests that do not need to know them. */
  signedInPage: Page;
  quietServer: void;
  quietPages: void;
}

interface WorkerFixtures {
  server: Server;
}

let tests = 0;

/** Complaints that pages may log, by test id. */
const expected = new Map<string, RegExp[]>();

/** Invalid requests are refused by design, and browsers log that. */
const REFUSED = /^error: Failed to load resource: the server responded with a status of 4\d\d/;

/** Allows such complaints from pages of the running test: for an intended fault, or a network that was cut off. */
export function expectComplaint(...patterns: RegExp[]): void {
  const { testId } = base.info();
  expected.set(testId, [...(expected.get(testId) ?? []), ...patterns]);
}

/** Restarts the server with its clock ahead, while no page of the office is open. */
export async function later(server: Server, minutesAhead: number): Promise<void> {
  expectComplaint(/net::ERR_/);
  await server.stop();
  await server.launch(minutesAhead);
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],

  baseURL: ({ server }, use) => use(server.url),

  // Every test has its own address, so that none is throttled because of another.
  extraHTTPHeaders: async ({}, use, { workerIndex }) => {
    tests += 1;
    await use({ 'X-Forwarded-For': `10.${workerIndex}.${tests >> 8}.${tests & 255}` });
  },

  expectedErrors: async ({}, use) => use([]),

  quietServer: [
    async ({ server, expectedErrors }, use) => {
      const before = server.trouble.length;
      await use();
      const unexpected = server.trouble
        .slice(before)
        .filter((line) => !expectedErrors.some((pattern) => pattern.test(line)));
      expect(unexpected, 'what the server logged as errors').toEqual([]);
    },
    { auto: true },
  ],

  // Collects console messages of the browser: exceptions, findings of React and the policy, failures.
  quietPages: [
    async ({ browser }, use, { testId }) => {
      const heard: string[] = [];
      const listen = (context: BrowserContext) => {
        context.on('console', (message) => {
          if (!['warning', 'error'].includes(message.type())) return;
          heard.push(`${message.type()}: ${message.text()} (${message.location().url})`);
        });
        context.on('weberror', (error) => heard.push(`thrown: ${error.error().message}`));
      };
      browser.on('context', listen);
      await use();
      browser.off('context', listen);
      const allowed = [REFUSED, ...(expected.get(testId) ?? [])];
      expected.delete(testId);
      const unexpected = heard.filter((line) => !allowed.some((pattern) => pattern.test(line)));
      expect(unexpected, 'what pages said in the console').toEqual([]);
    },
    { auto: true },
  ],

  ownServer: async ({ browser }, use) => {
    const server = await Server.start();
    await use(server);
    // Pages that are still loading would complain about missing answers.
    for (const context of browser.contexts()) await context.close();
    await server.remove();
    expect(server.trouble, 'what the server logged as errors').toEqual([]);
  },

  applicant: async ({ context }, use) => {
    const person = newPerson();
    await registerByApi(context.request, person, 'ba');
    await use(person);
  },

  signedInPage: async ({ page, context }, use) => {
    await registerByApi(context.request, newPerson(), 'ba');
    await use(page);
  },
});

export { expect };
