// Provisioning: an Owner lets an identity provider send its users and groups, and the staff list follows them.

import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { logInStaff, newOwner, newStaffLogin } from './support/staff';
import { expect, expectComplaint, test as base } from './support/test';

const NAME = 'Demo directory';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

// Providers would be on the login page of all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

/** The program of the provider, which sends what has changed there. */
class Sender {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async status(path: string): Promise<number> {
    return (await this.#call('GET', path)).status;
  }

  /** Makes a user or a group, and returns its id. */
  async make(path: string, body: object): Promise<string> {
    const answer = await this.#call('POST', path, body);
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  }

  async replace(path: string, value: object): Promise<void> {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    const answer = await this.#call('PATCH', path, { schemas, Operations: [{ op: 'replace', value }] });
    expect(answer.status).toBe(200);
  }

  #call(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/scim+json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const row = (page: Page, table: string, text: string) =>
  page.getByRole('region', { name: table, exact: true }).getByRole('row').filter({ hasText: text });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an Owner turns provisioning on, and staff come and go with the directory', async ({
      page,
      ownServer,
    }) => {
      test.slow();
      const accessible = async () => {
        if (!javaScriptEnabled) return;
        await hydrated(page);
        await expectAccessible(page);
      };
      const main = page.getByRole('main');
      const turnOn = page.getByRole('button', { name: 'Turn provisioning on' });
      const owner = newOwner(ownServer);
      await logInStaff(page, owner);
      await page.goto('/admin-panel/settings/sign-on');
      await field(page, 'Name').fill(NAME);
      await field(page, 'Issuer').fill('https://login.example.org');
      await field(page, 'Client ID').fill('matricula');
      await page.getByLabel('Client secret').fill('a-secret-of-the-tests');
      await field(page, 'Reviewer').fill('readers');
      await page.getByRole('button', { name: 'Add provider' }).click();
      await expect(page.getByRole('status')).toContainText('The identity provider is added.');
      const address = page.url().split('?')[0]!;
      const scim = `${ownServer.url}/api/scim/v2`;
      await expect(page.getByText(scim, { exact: true })).toBeVisible();
      await accessible();

      // Some time after the login, the password is asked for.
      expectComplaint(/net::ERR_/);
      await ownServer.stop();
      await ownServer.launch(7);
      await turnOn.click();
      await expect(heading(page)).toHaveText('Enter your password again');
      await page.getByLabel('Password', { exact: true }).fill(owner.password);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(heading(page)).toHaveText(NAME);
      await expect(page.getByRole('status')).toContainText('it is shown only once');
      const token = await page.locator('.secret-text').innerText();
      expect(token).toMatch(/^matricula_scim_/);
      await expect(main).toContainText('No groups have been sent yet.');
      await accessible();

      const { email } = newStaffLogin();
      const sender = new Sender(scim, token);
      const user = await sender.make('/Users', {
        schemas: [`${CORE}:User`],
        userName: email,
        name: { givenName: 'Demo', familyName: 'Reader' },
      });
      const members = [{ value: user }];
      await sender.make('/Groups', { schemas: [`${CORE}:Group`], displayName: 'readers', members });
      await sender.make('/Groups', { schemas: [`${CORE}:Group`], displayName: 'others', members });
      await page.goto(address);
      expect(await page.content()).not.toContain(token);
      await expect(row(page, 'Groups', 'readers')).toContainText('Reviewer');
      await expect(row(page, 'Groups', 'others')).toContainText('No role');
      await accessible();
      await page.goto('/admin-panel/admins');
      await expect(row(page, 'Staff', email)).toContainText('Demo Reader');
      await expect(row(page, 'Staff', email)).toContainText('Reviewer');
      await expect(row(page, 'Staff', email)).toContainText('Active');

      await sender.replace(`/Users/${user}`, { active: false });
      await page.reload();
      await expect(row(page, 'Staff', email)).toContainText('Suspended');

      await page.goto(address);
      await page.locator('summary', { hasText: 'Turn provisioning off' }).click();
      await page.getByRole('button', { name: 'Turn provisioning off' }).click();
      await expect(page.getByRole('status')).toContainText('Provisioning is off.');
      await expect(turnOn).toBeVisible();
      await expect(page.getByRole('region', { name: 'Groups', exact: true })).toHaveCount(0);
      expect(await sender.status('/Users')).toBe(401);
    });
  });
}
