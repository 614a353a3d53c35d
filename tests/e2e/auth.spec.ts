import { expectSameDocument, hydrated, markDocument, wake } from './support/browser';
import {
  fillRegistration,
  loginDialog,
  newPerson,
  registerByApi,
  registerDialog,
  submitLogin,
} from './support/people';
import { expect, expectComplaint, test } from './support/test';

const forgotDialog = 'Reset your password';

test.describe('the dialog says what it should', () => {
  test('log in: email, password, and the two ways on', async ({ page }) => {
    await page.goto('/bachelor/apply?dialog=login');
    const dialog = loginDialog(page);
    await expect(dialog.getByRole('textbox', { name: 'Email', exact: true })).toBeFocused();
    await expect(dialog.getByLabel('Password', { exact: true })).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'New user? Register', exact: true })).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Forgot Password?', exact: true })).toBeVisible();
  });

  test('register: the account’s fields in their order, United States first with its dial code', async ({
    page,
  }) => {
    await page.goto('/bachelor/apply?dialog=register');
    const dialog = registerDialog(page);
    const names = await dialog
      .locator('input:not([type=hidden]), select')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')));
    expect(names).toEqual([
      'firstName',
      'lastName',
      'dateOfBirth',
      'country',
      'phoneNumber',
      'state',
      'email',
      'password',
      'passwordRepeat',
    ]);
    await expect(dialog.getByLabel('Date of birth')).toHaveAttribute('type', 'date');
    const countries = dialog.getByLabel('Country code').getByRole('option');
    await expect(countries.first()).toHaveText('United States (+1)');
    expect(await countries.count()).toBeGreaterThan(200);
    await expect(dialog.getByLabel('State').getByRole('option')).toHaveCount(51);
    await expect(
      dialog.getByRole('link', { name: 'Already have an account? Login', exact: true }),
    ).toBeVisible();
  });

  test('forgot password: Cancel, Request Reset, and Back to Login after the server’s message', async ({
    page,
  }) => {
    await page.goto('/bachelor/apply?dialog=forgot');
    await hydrated(page);
    const dialog = page.getByRole('dialog', { name: forgotDialog });
    await expect(dialog.getByRole('link', { name: 'Cancel', exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Request Reset', exact: true }).click();
    await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(
      /Please enter your email address/,
    );
    await dialog.getByRole('textbox', { name: 'Email' }).fill('nobody@example.org');
    const message = page
      .waitForResponse('**/api/users/forgot-password')
      .then((answer) => answer.json())
      .then((body: { message: string }) => body.message);
    await dialog.getByRole('button', { name: 'Request Reset', exact: true }).click();
    await expect(dialog.getByText(await message)).toBeVisible();
    await dialog.getByRole('link', { name: 'Back to Login', exact: true }).click();
    await expect(loginDialog(page)).toBeVisible();
  });
});

test('the dialog is never wider than 500 pixels, and never wider than the window', async ({ page }) => {
  for (const width of [320, 360, 600, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/bachelor/apply?dialog=register');
    const box = await registerDialog(page).boundingBox();
    expect(box!.width).toBeLessThanOrEqual(Math.min(500, width));
  }
});

test('the state is asked for in the United States only, and leaving them clears it', async ({ page }) => {
  await page.goto('/bachelor/apply?dialog=register');
  await hydrated(page);
  const dialog = registerDialog(page);
  await dialog.getByLabel('State').selectOption('VA');
  await dialog.getByLabel('Country code').selectOption('DE');
  await expect(dialog.getByLabel('State')).toBeHidden();
  await dialog.getByLabel('Country code').selectOption('US');
  await expect(dialog.getByLabel('State')).toHaveValue('');
});

test('what registering sends: the dial code before the digits, and no state from abroad', async ({
  page,
}) => {
  const person = newPerson();
  await page.goto('/masters/apply?dialog=register');
  await hydrated(page);
  await fillRegistration(registerDialog(page), person);
  await registerDialog(page).getByLabel('Country code').selectOption('GB');
  await registerDialog(page).getByLabel('Phone number').fill('20 7946 0018');
  const sent = page.waitForRequest('**/api/users/register');
  await registerDialog(page).getByRole('button', { name: 'Create account' }).click();
  expect((await sent).postDataJSON()).toEqual({
    ...person,
    dateOfBirth: '1994-05-17',
    country: 'GB',
    phoneNumber: '+442079460018',
    applicationType: 'msc',
  });
  await expect(page).toHaveURL('/masters/application');
});

test('passwords that differ are told before anything is sent', async ({ page }) => {
  await page.goto('/bachelor/apply?dialog=register');
  await hydrated(page);
  const dialog = registerDialog(page);
  let sent = 0;
  page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0));
  await fillRegistration(dialog, newPerson());
  await dialog.getByLabel('Repeat password', { exact: true }).fill('something else entirely');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await expect(dialog.getByText('Passwords do not match', { exact: true }).first()).toBeVisible();
  await expect(dialog.getByLabel('Repeat password', { exact: true })).toHaveAccessibleDescription(
    'Passwords do not match',
  );
  expect(sent).toBe(0);
});

test('the errors of a form are listed in the order of its fields, each leading to its field', async ({
  page,
}) => {
  await page.goto('/bachelor/apply?dialog=register');
  await hydrated(page);
  const dialog = registerDialog(page);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  const summary = dialog.getByRole('alert');
  await expect(summary).toBeFocused();
  const targets = await summary
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.replace('#f-', '')));
  expect(targets).toEqual([
    'firstName',
    'lastName',
    'dateOfBirth',
    'phoneNumber',
    'state',
    'email',
    'password',
  ]);
  await summary.getByRole('link', { name: /Last name/ }).click();
  await expect(dialog.getByLabel('Last name')).toBeFocused();
});

for (const { mode, call, button, busy } of [
  { mode: 'login', call: 'login', button: 'Log in', busy: 'Submitting...' },
  { mode: 'register', call: 'register', button: 'Create account', busy: 'Submitting...' },
  { mode: 'forgot', call: 'forgot-password', button: 'Request Reset', busy: 'Requesting...' },
]) {
  test(`the button of ${mode} reads “${busy}” while the server thinks, and sends once`, async ({ page }) => {
    await page.goto(`/bachelor/apply?dialog=${mode}`);
    await hydrated(page);
    const dialog = page.getByRole('dialog');
    let calls = 0;
    let answer = () => {};
    const held = new Promise<void>((release) => (answer = release));
    await page.route(`**/api/users/${call}`, async (route) => {
      calls += 1;
      await held;
      await route.continue();
    });
    if (mode === 'register') await fillRegistration(dialog, newPerson());
    else await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill('nobody@example.org');
    if (mode === 'login') await dialog.getByLabel('Password', { exact: true }).fill('wrong password');
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await expect(dialog.getByRole('button', { name: busy, exact: true })).toBeVisible();
    await page.keyboard.press('Enter');
    answer();
    await expect(dialog.getByRole('button', { name: busy, exact: true })).toBeHidden();
    expect(calls).toBe(1);
  });
}

test('a wrong password and an unknown address get the same words, and the address stays', async ({
  page,
  request,
}) => {
  const person = newPerson();
  await registerByApi(request, person, 'ba');
  await page.goto('/bachelor/apply?dialog=login');
  await hydrated(page);
  const words: string[] = [];
  for (const email of [person.email, 'nobody@example.org']) {
    await submitLogin(page, { ...person, email, password: 'not the password' });
    await expect(loginDialog(page).getByRole('alert')).toBeVisible();
    await expect(loginDialog(page).getByRole('button', { name: 'Log in' })).toBeVisible();
    words.push(await loginDialog(page).getByRole('alert').innerText());
    await expect(loginDialog(page).getByRole('textbox', { name: 'Email' })).toHaveValue(email);
  }
  expect(words[0]).toBe(words[1]);
});

test('an answer that makes no sense is “An error occurred”', async ({ page }) => {
  await page.goto('/bachelor/apply?dialog=login');
  await hydrated(page);
  await page.route('**/api/users/login', (route) => route.fulfill({ status: 400, body: 'no JSON' }));
  await submitLogin(page, newPerson());
  await expect(loginDialog(page).getByRole('alert')).toHaveText('An error occurred');
  await page.goto('/bachelor/apply?dialog=forgot');
  await hydrated(page);
  expectComplaint(/net::ERR_FAILED/);
  await page.route('**/api/users/forgot-password', (route) => route.abort());
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('nobody@example.org');
  await dialog.getByRole('button', { name: 'Request Reset' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('An error occurred. Please try again.');
});

test('the dashboard asks a stranger to log in over the apply page, and then leads there', async ({
  page,
  request,
}) => {
  const person = newPerson();
  await registerByApi(request, person, 'msc');
  await page.goto('/masters/apply');
  await page.goto('/dashboard/account');
  await expect(page).toHaveURL('/masters/apply?dialog=login&redirect=%2Fdashboard%2Faccount');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/dashboard/account');
});

test('a target that starts with /application leads into the current program', async ({ page, request }) => {
  const person = newPerson();
  await registerByApi(request, person, 'msc');
  await page.goto('/masters/apply?dialog=login&redirect=/application');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/masters/application');
});

test('a target outside leads to the application instead', async ({ page, request }) => {
  const person = newPerson();
  await registerByApi(request, person, 'ba');
  await page.goto('/bachelor/apply?dialog=login&redirect=//example.org/');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/bachelor/application');
});

test('switching between the modes and closing keep what was typed', async ({ page }) => {
  await page.goto('/bachelor/apply');
  await wake(page);
  await markDocument(page);
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
  await loginDialog(page).getByRole('textbox', { name: 'Email' }).fill('jordan@example.org');
  await loginDialog(page).getByRole('link', { name: 'New user? Register' }).click();
  await expect(page).toHaveURL(/dialog=register/);
  await expect(registerDialog(page).getByRole('textbox', { name: 'Email' })).toHaveValue(
    'jordan@example.org',
  );
  await registerDialog(page).getByLabel('First name').fill('Typed early');
  await registerDialog(page).getByRole('link', { name: 'Already have an account? Login' }).click();
  await loginDialog(page).getByRole('link', { name: 'Forgot Password?' }).click();
  const forgot = page.getByRole('dialog', { name: forgotDialog });
  await expect(forgot.getByRole('textbox', { name: 'Email' })).toHaveValue('jordan@example.org');
  await forgot.getByRole('link', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Apply now' }).first().click();
  await expect(registerDialog(page).getByLabel('First name')).toHaveValue('Typed early');
  await expectSameDocument(page);
});

test('Escape, Back, the backdrop and the cross close the dialog and give the focus back', async ({
  page,
}) => {
  await page.goto('/bachelor/apply');
  await wake(page);
  await markDocument(page);
  const opener = page.getByRole('banner').getByRole('link', { name: 'Log in' });
  const ways: [string, () => Promise<unknown>][] = [
    ['Escape', () => page.keyboard.press('Escape')],
    ['Back', () => page.goBack()],
    ['the backdrop', () => page.mouse.click(5, 300)],
    ['the cross', () => loginDialog(page).getByRole('link', { name: 'Close' }).click()],
  ];
  for (const [name, close] of ways) {
    await opener.click();
    await expect(loginDialog(page)).toBeVisible();
    await expect(page).toHaveURL('/bachelor/apply?dialog=login');
    await close();
    await expect(loginDialog(page), name).toBeHidden();
    await expect(page, name).toHaveURL('/bachelor/apply');
    await expect(opener, name).toBeFocused();
  }
  await expectSameDocument(page);
});

test('nothing behind the open dialog can be reached', async ({ page }) => {
  await page.goto('/bachelor/apply?dialog=login');
  await hydrated(page);
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    );
    expect(outside).toBe(false);
  }
});

test('a document with a dialog has the top of its page only, and all of it when the dialog is closed', async ({
  page,
}) => {
  const closing = page.getByRole('heading', { name: 'Start today, finish when it suits you' });
  await page.goto('/bachelor/apply?dialog=register');
  await hydrated(page);
  await expect(page.locator('h1')).toHaveText('Bachelor’s program');
  await expect(closing).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(closing).toBeVisible();
  await page.goBack();
  await page.goForward();
  await expect(closing).toBeVisible();
});
