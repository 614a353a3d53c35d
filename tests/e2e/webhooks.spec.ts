// Webhooks: an Owner adds an endpoint, and sees what it was told and what it did not take.

import { createHmac } from 'node:crypto';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { newPerson, submittedByApi } from './support/people';
import { Receiver } from './support/receiver';
import { Server } from './support/server';
import { logInStaff, newOwner } from './support/staff';
import { expect, test as base } from './support/test';

const test = base.extend<{ receiver: Receiver }>({
  // oxlint-disable-next-line no-empty-pattern -- it needs nothing
  receiver: async ({}, use) => {
    const receiver = await Receiver.start();
    await use(receiver);
    receiver.stop();
  },
  // oxlint-disable-next-line no-empty-pattern -- it needs nothing
  ownServer: async ({}, use) => {
    const server = await Server.start({ MATRICULA_PRIVATE_NETWORKS: '127.0.0.1' });
    await use(server);
    await server.remove();
  },
  baseURL: ({ ownServer }, use) => use(ownServer.url),
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an Owner adds an endpoint, which is told of a submission', async ({
      page,
      receiver,
      ownServer,
      request,
    }) => {
      test.slow();
      const accessible = async () => {
        if (!javaScriptEnabled) return;
        await hydrated(page);
        await expectAccessible(page);
      };
      await logInStaff(page, newOwner(ownServer));
      await page.goto('/admin-panel/settings');
      await page.getByRole('link', { name: 'Webhooks' }).click();
      const main = page.getByRole('main');
      await expect(main).toContainText('There is no endpoint yet.');
      await page.getByLabel('What is it for?').fill('Demo student system');
      await page.getByLabel('Address').fill('hooks.example.org');
      await page.getByText('Only some events').click();
      await page.getByLabel('offer.lapsed').check();
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      await expect(page.getByRole('alert')).toContainText('Enter the address that takes the events');
      await expect(page.getByLabel('What is it for?')).toHaveValue('Demo student system');
      await expect(page.getByLabel('offer.lapsed')).toBeChecked();
      await accessible();
      await page.getByLabel('offer.lapsed').uncheck();
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      await expect(page.getByRole('status')).toContainText('it is shown only once');
      const secret = await page.locator('.secret-text').innerText();
      await accessible();

      await submittedByApi(request, newPerson());
      await expect.poll(() => receiver.received.length).toBe(1);
      const { headers, body } = receiver.received[0]!;
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      );
      expect(JSON.parse(body)).toMatchObject({ type: 'application.submitted', data: { stage: 'submitted' } });

      receiver.status = 503;
      await page.getByRole('link', { name: 'Demo student system' }).click();
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await expect.poll(() => receiver.received.length).toBe(2);
      const deliveries = page.getByRole('list', { name: 'Deliveries' });
      await expect(async () => {
        await page.reload();
        await expect(deliveries).toContainText('The receiver answered 503: closed for the night', {
          timeout: 1,
        });
      }).toPass();
      await expect(deliveries).toContainText('application.submitted');
      await accessible();
      receiver.status = 204;
      await page.getByRole('button', { name: /^Send now/ }).click();
      await expect(async () => {
        await page.goto(`${page.url().split('?')[0]!}?state=delivered`);
        await expect(deliveries).toContainText('webhook.test', { timeout: 1 });
      }).toPass();

      await page.getByRole('button', { name: 'Pause' }).click();
      await expect(main).toContainText('Paused since');
      await page.getByText('Delete this endpoint').click();
      await page.getByRole('button', { name: 'Delete endpoint' }).click();
      await expect(page.getByRole('status')).toContainText('The endpoint is deleted.');
      await expect(main).toContainText('There is no endpoint yet.');
    });
  });
}
