/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs, also when it is nothing */

import { test as base, expect, type Page } from '@playwright/test';
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
}

interface WorkerFixtures {
  server: Server;
}

let tests = 0;

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

  ownServer: async ({}, use) => {
    const server = await Server.start();
    await use(server);
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
