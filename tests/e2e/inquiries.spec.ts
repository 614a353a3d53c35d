// People who are not ready to apply: they ask, confirm, read the brochure, and unsubscribe; the office sees them.

import { expectAccessible } from './support/accessible';
import { hydrated, wake } from './support/browser';
import { BROCHURE, confirm, CONSENT, inquire, inquiry, OPENINGS } from './support/inquiries';
import { linkTo, mailsTo } from './support/mailbox';
import { newPerson, registerByApi } from './support/people';
import { logInStaff, newStaff } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('somebody asks on the landing page, confirms it, reads the brochure and unsubscribes', async ({
      page,
    }) => {
      test.slow();
      const { email } = newPerson();
      const accessible = async () => {
        if (!javaScriptEnabled) return;
        await hydrated(page);
        await expectAccessible(page);
      };
      await page.goto('/masters/apply');
      await expect(page.getByRole('heading', { name: 'Not ready to apply yet?' })).toBeVisible();
      const form = inquiry(page);
      await form.getByRole('textbox', { name: 'Email', exact: true }).fill('nobody');
      await form.getByLabel('First name (optional)').fill('Zoë');
      await form.getByLabel(BROCHURE).check();
      await form.getByRole('button', { name: 'Send' }).click();

      // Errors come back on the form's own page, and nothing typed is lost.
      await expect(page).toHaveURL('/masters/inquire');
      await expect(page.getByRole('alert')).toContainText('email address');
      await expect(form.getByRole('textbox', { name: 'Email', exact: true })).toHaveAccessibleDescription(
        /email address/,
      );
      await expect(form.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue('nobody');
      await expect(form.getByLabel('First name (optional)')).toHaveValue('Zoë');
      await expect(form.getByLabel(BROCHURE)).toBeChecked();
      await expect(form.getByLabel(OPENINGS)).not.toBeChecked();
      await expect(form.getByLabel(CONSENT)).toHaveAttribute('aria-invalid', 'true');
      await accessible();
      await inquire(page, email);
      await expect(page).toHaveURL('/masters/inquire?sent=1');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email');
      await accessible();

      const link = await linkTo(page.request, email);
      await page.goto(link);
      await page.reload();
      expect(await mailsTo(page.request, email), 'looking does nothing').toHaveLength(1);
      await accessible();
      await confirm(page, email);
      await expect.poll(async () => (await mailsTo(page.request, email)).length).toBe(2);
      await accessible();

      const [brochure] = await mailsTo(page.request, email);
      const address = new URL(brochure!.text.match(/https?:\/\/\S+brochure\.pdf\S*/)![0]);
      const file = await page.request.get(address.pathname + address.search);
      expect(file.status()).toBe(200);
      expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');

      const unsubscribe = await linkTo(page.request, email);
      expect(unsubscribe).toContain('/unsubscribe?token=');
      await page.goto(unsubscribe);
      await expect(page.getByRole('main')).toContainText(email);
      await accessible();
      await page.getByRole('main').getByRole('button', { name: 'Unsubscribe' }).click();
      await expect(page.getByRole('main')).toContainText('unsubscribed');
      await expect(page.getByRole('main')).not.toContainText(email);
      await accessible();
      // Back and again: it says the same.
      await page.goto(unsubscribe);
      await expect(page.getByRole('main')).not.toContainText(email);
    });

    test('in Spanish, from the landing page to the end', async ({ page, baseURL }) => {
      const { email } = newPerson();
      await page.context().addCookies([{ name: 'language', value: 'es', url: baseURL! }]);
      await page.goto('/bachelor/apply');
      const form = inquiry(page);
      await form.getByRole('textbox', { name: 'Correo electrónico', exact: true }).fill('nobody');
      await form.getByRole('button').click();
      await expect(page).toHaveURL('/bachelor/inquire');
      await expect(page.getByRole('alert')).toContainText('Escriba un correo electrónico');
      await form.getByRole('textbox', { name: 'Correo electrónico', exact: true }).fill(email);
      for (const box of await form.getByRole('checkbox').all()) await box.check();
      await form.getByRole('button').click();
      await expect(page).toHaveURL('/bachelor/inquire?sent=1');
      await page.goto(await linkTo(page.request, email));
      await expect(page.locator('html')).toHaveAttribute('lang', 'es');
      await page.getByRole('main').getByRole('button').last().click();
      await expect.poll(async () => (await mailsTo(page.request, email)).length).toBe(2);
      for (const { text } of await mailsTo(page.request, email)) {
        expect(text.replace(/https?:\S+/g, '')).not.toMatch(/\b(the|you|your|unsubscribe)\b/i);
      }
      await page.goto(await linkTo(page.request, email));
      await page.getByRole('main').getByRole('button').last().click();
      await expect(page.getByRole('main')).not.toContainText(email);
    });

    test('a Reviewer finds a prospect, sees them become an applicant, and deletes another', async ({
      page,
      server,
      browser,
    }) => {
      test.slow();
      const [applies, leaves] = [newPerson(), newPerson()];
      const visitor = await browser.newPage({ baseURL: server.url, javaScriptEnabled });
      for (const { email } of [applies, leaves]) {
        await visitor.goto('/bachelor/inquire');
        await inquire(visitor, email);
        await confirm(visitor, email);
        await expect.poll(async () => (await mailsTo(visitor.request, email)).length).toBe(2);
      }
      await registerByApi(visitor.request, applies, 'ba');
      await visitor.close();

      await logInStaff(page, newStaff(server, 'reviewer'));
      await page.getByRole('link', { name: 'Prospects' }).first().click();
      await expect(page).toHaveURL('/admin-panel/prospects');
      const main = page.getByRole('main');
      await expect(main).toContainText(applies.email);
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
      }
      await main.getByLabel('Search').fill(applies.email);
      await main.getByLabel('Search').press('Enter');
      await expect(main.getByRole('row').filter({ hasText: applies.email })).toContainText(
        'Became an applicant',
      );
      await expect(main).not.toContainText(leaves.email);
      await page.goto(`/admin-panel/prospects?search=${leaves.email}`);
      const row = main.getByRole('row').filter({ hasText: leaves.email });
      await row.getByRole('link', { name: /Delete/ }).click();
      await main.getByRole('button', { name: /Delete/ }).click();
      await page.goto(`/admin-panel/prospects?search=${leaves.email}`);
      await expect(row).toHaveCount(0);
    });
  });
}

test('a mail program unsubscribes with one click, from elsewhere and without cookies', async ({
  page,
  baseURL,
  playwright,
}) => {
  const { email } = newPerson();
  await page.goto('/bachelor/inquire');
  await inquire(page, email);
  await confirm(page, email);
  await expect.poll(async () => (await mailsTo(page.request, email)).length).toBe(2);
  const unsubscribe = await linkTo(page.request, email);
  const program = await playwright.request.newContext({
    baseURL: baseURL!,
    extraHTTPHeaders: { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' },
  });
  for (const sent of [
    { form: { 'List-Unsubscribe': 'One-Click' } },
    { multipart: { 'List-Unsubscribe': 'One-Click' } },
  ]) {
    expect((await program.post(unsubscribe, sent)).status()).toBe(200);
    await page.goto(unsubscribe);
    await expect(page.getByRole('main')).not.toContainText(email);
  }
  // Anything else from there is refused.
  expect((await program.post(unsubscribe, { form: { token: 'abc' } })).status()).toBe(403);
  expect((await program.post('/bachelor/inquire', { form: { email } })).status()).toBe(403);
  await program.dispose();
});

test('the form adds no script to the landing page, and what is typed stays when the page wakes', async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto('/bachelor/apply');
  await page.waitForLoadState('networkidle');
  expect(scripts.length, scripts.join(' ')).toBeLessThanOrEqual(1);
  const form = inquiry(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await form.getByRole('textbox', { name: 'Email', exact: true }).fill('jordan@example.org');
  await form.getByLabel(BROCHURE).check();
  await form.getByLabel(CONSENT).check();
  release();
  await wake(page);
  await expect(form.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue('jordan@example.org');
  await expect(form.getByLabel(BROCHURE)).toBeChecked();
  await expect(form.getByLabel(CONSENT)).toBeChecked();
  await expect(form.getByLabel(OPENINGS)).not.toBeChecked();
});

test('somebody without a mouse asks on a phone', async ({ page }) => {
  const { email } = newPerson();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/bachelor/apply');
  const form = inquiry(page);
  await form.getByRole('textbox', { name: 'Email', exact: true }).focus();
  await page.keyboard.type(email);
  for (let box = 0; box < 3; box += 1) {
    await page.keyboard.press('Tab');
    if (box === 0) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/bachelor/inquire?sent=1');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
