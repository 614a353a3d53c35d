/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs, also when it is nothing */

import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { newPerson, registerByApi, type Person } from './people';
import { Server } from './server';

interface TestFixtures {
  /** What the server may say in this test; anything else it logs as an error fails the test. */
  expectedErrors: RegExp[];
  /** A server that belongs to this test alone: to be stopped, killed and started again. */
  ownServer: Server;
  /** Somebody with a new account and an application for the bachelor's program, signed in in the test's browser. */
  applicant: Person;
  /** A page in the browser of such a person, for tests that do not care who it is. */
  signedInPage: Page;
  quietServer: void;
  quietPages: void;
}

interface WorkerFixtures {
  server: Server;
}

let tests = 0;

/** What pages may complain about, by the id of the test. */
const expected = new Map<string, RegExp[]>();

/** What was asked for wrongly is refused by design, and a browser says so. */
const REFUSED = /^error: Failed to load resource: the server responded with a status of 4\d\d/;

/** Lets the pages of the running test complain about that: a fault that was asked for, a network that was taken away. */
export function expectComplaint(...patterns: RegExp[]): void {
  const { testId } = base.info();
  expected.set(testId, [...(expected.get(testId) ?? []), ...patterns]);
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

  // Every test comes from an address of its own, so that none is throttled for what another did.
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

  // Whatever a browser says in its console: what is thrown, what React and the policy find wrong, what failed.
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
    // Pages that still load something would complain that nobody answers.
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
