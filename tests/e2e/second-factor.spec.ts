// An applicant's second factor: turned on, required at login, and turned off.

import { expectAccessible } from './support/accessible';
import { hydrated } from './support/browser';
import { mailsTo } from './support/mailbox';
import { loginDialog, submitLogin } from './support/people';
import { code, setUpSecondFactor } from './support/staff';
import { expect, test } from './support/test';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('logging in asks for a code once it is on, and not once it is off', async ({ page, applicant }) => {
      test.slow();
      const heading = page.getByRole('heading', { level: 1 });
      await page.goto('/dashboard/account');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('link', { name: 'Set up an authenticator app' }).click();
      await expect(heading).toHaveText('Set up an authenticator app');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Turn it on' }).click();
      await expect(page.getByRole('alert')).toContainText(
        'Enter the code from your authenticator app, or a recovery code.',
      );
      const { key, recovery } = await setUpSecondFactor(page, applicant.password);
      if (javaScriptEnabled) await expectAccessible(page);
      await expect(page.getByRole('link', { name: 'Save as a file' })).toHaveAttribute('href', /^data:text/);
      await page.getByRole('link', { name: 'I have saved them' }).click();
      await expect(heading).toHaveText('Your account');
      await expect(page.getByText('It is on: your password alone is not enough to log in')).toBeVisible();
      const subjects = async () =>
        (await mailsTo(page.request, applicant.email)).map(({ subject }) => subject);
      expect(await subjects()).toContain('Your second factor is on');

      await page.context().clearCookies();
      await page.goto('/bachelor/apply?dialog=login&redirect=/dashboard/account');
      if (javaScriptEnabled) await hydrated(page);
      await submitLogin(page, applicant);
      const step = javaScriptEnabled ? loginDialog(page) : page.getByRole('main');
      if (!javaScriptEnabled) await expect(heading).toHaveText('One more step');
      await expect(step.getByLabel('Code', { exact: true })).toBeVisible();
      if (javaScriptEnabled) await expect(step.getByLabel('Code', { exact: true })).toBeFocused();
      if (javaScriptEnabled) await expectAccessible(page);
      await step.getByLabel('Code', { exact: true }).fill('000000');
      await step.getByRole('button', { name: 'Log in' }).click();
      await expect(step.getByRole('alert')).toContainText('This code does not work.');
      await step.getByLabel('Code', { exact: true }).fill(recovery[0]!);
      await step.getByRole('button', { name: 'Log in' }).click();
      await expect(page).toHaveURL('/dashboard/account');

      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('link', { name: 'Authenticator app' }).click();
      await expect(heading).toHaveText('Your authenticator app');
      if (javaScriptEnabled) await expectAccessible(page);
      await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible();
      await page.getByLabel('Your password', { exact: true }).fill(applicant.password);
      await page.getByLabel('Code', { exact: true }).fill(code(key, 1));
      await page.getByRole('button', { name: 'Turn it off' }).click();
      await expect(heading).toHaveText('Your account');
      await expect(page.getByText('Your authenticator app is turned off.')).toBeVisible();
      expect(await subjects()).toContain('Your second factor is off');
      await page.context().clearCookies();
      await page.goto('/bachelor/apply?dialog=login&redirect=/dashboard/account');
      if (javaScriptEnabled) await hydrated(page);
      await submitLogin(page, applicant);
      await expect(page).toHaveURL('/dashboard/account');
    });
  });
}
