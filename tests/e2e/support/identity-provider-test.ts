import { IdentityProvider } from './identity-provider';
import { Server } from './server';
import { expect, test as base } from './test';

/** With an identity provider, and a server of the test's own that calls it. */
export const test = base.extend<{ provider: IdentityProvider }>({
  // oxlint-disable-next-line no-empty-pattern -- it needs nothing
  provider: async ({}, use) => {
    const provider = await IdentityProvider.start();
    await use(provider);
    await provider.stop();
  },
  ownServer: async ({ browser }, use) => {
    // To browsers, another site than the provider's 127.0.0.1.
    const server = await Server.start({ MATRICULA_PRIVATE_NETWORKS: '127.0.0.1' }, 'localhost');
    await use(server);
    for (const context of browser.contexts()) await context.close();
    await server.remove();
    expect(server.trouble, 'what the server logged as errors').toEqual([]);
  },
  baseURL: ({ ownServer }, use) => use(ownServer.url),
});
