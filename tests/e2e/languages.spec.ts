import type { Page } from '@playwright/test';
import { complaints, hydrated } from './support/browser';
import { pages } from './support/pages';
import { newPerson, registerByApi, type Person } from './support/people';
import { expect, test } from './support/test';

/** Chooses a language at the bottom of the page. */
async function choose(page: Page, name: 'English' | 'Español'): Promise<void> {
  await page.getByRole('contentinfo').getByRole('button', { name }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', name === 'English' ? 'en' : 'es');
}

/** Wakes a landing page in Spanish. */
async function wakeInSpanish(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Saltar al contenido' }).focus();
  await hydrated(page);
}

async function registerInSpanish(
  page: Page,
  { firstName, lastName, email, password }: Person,
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Cree su cuenta de admisión' });
  await dialog.getByLabel('Nombre').fill(firstName);
  await dialog.getByLabel('Apellidos').fill(lastName);
  await dialog.getByLabel('Fecha de nacimiento').fill('1994-05-17');
  await dialog.getByLabel('Código de país').selectOption({ label: 'Estados Unidos (+1)' });
  await dialog.getByLabel('Número de teléfono').fill('555 555 0123');
  await dialog.getByLabel('Estado').selectOption('VA');
  await dialog.getByRole('textbox', { name: 'Correo electrónico', exact: true }).fill(email);
  await dialog.getByLabel('Contraseña', { exact: true }).fill(password);
  await dialog.getByLabel('Repita la contraseña', { exact: true }).fill(`${password}!`);
  await dialog.getByRole('button', { name: 'Crear cuenta' }).click();
  await expect(dialog.getByText('Las contraseñas no coinciden').last()).toBeVisible();
  await dialog.getByLabel('Contraseña', { exact: true }).fill(password);
  await dialog.getByLabel('Repita la contraseña', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Crear cuenta' }).click();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('somebody applies in Spanish, is told what is wrong, and goes back to English', async ({ page }) => {
      const heard = complaints(page);
      await page.goto('/bachelor/apply');
      await choose(page, 'Español');
      await expect(page).toHaveURL('/bachelor/apply');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Programa de licenciatura');
      if (javaScriptEnabled) await wakeInSpanish(page);
      await page.getByRole('main').getByRole('link', { name: 'Solicitar admisión' }).first().click();
      await registerInSpanish(page, newPerson());

      await expect(page).toHaveURL('/bachelor/application');
      await expect(page.getByText('0 de 7 secciones completas')).toBeVisible();
      await page.getByRole('main').getByRole('link', { name: 'Empleo', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Empleo');
      await page.getByLabel('Horas por semana').fill('200');
      await page.getByRole('button', { name: 'Guardar y continuar' }).click();
      await expect(
        page.getByText(/^(Las horas|Horas) por semana:? deben? estar entre 0 y 168\.$/).first(),
      ).toBeVisible();
      await page.getByLabel('Horas por semana').fill('20');
      await page.getByRole('button', { name: 'Guardar y ver todas las secciones' }).click();
      await expect(page.getByText(/^Guardado: \d+:\d\d\s([ap]\.\sm\.|[AP]M)$/)).toBeVisible();

      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Su admisión');
      await expect(page.getByText('Su próximo paso')).toBeVisible();
      await expect(page.getByRole('main').getByText('Continuar su solicitud').first()).toBeVisible();
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('link', { name: 'Mensajes' }).first().click();
      await page.getByRole('link', { name: 'Solicitud empezada' }).click();
      await expect(page.getByText('Estimado/a Demo:')).toBeVisible();

      await choose(page, 'English');
      await expect(page.getByText('All messages')).toBeVisible();
      // What was written in English stays in English.
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Solicitud empezada');
      // Browsers log in their console which documents were refused.
      if (javaScriptEnabled) expect(heard.filter((line) => !line.includes('status of 422'))).toEqual([]);
    });
  });
}

test('a browser that asks for Spanish gets it, and the account keeps it on other devices', async ({
  browser,
  baseURL,
}) => {
  const spanish = await browser.newContext({ baseURL, locale: 'es-US' });
  const person = newPerson();
  const page = await spanish.newPage();
  await page.goto('/masters/apply?dialog=register');
  await registerInSpanish(page, person);
  await expect(page).toHaveURL('/masters/application');
  const other = await browser.newContext({ baseURL, locale: 'en-US' });
  const elsewhere = await other.newPage();
  await elsewhere.goto('/dashboard');
  const dialog = elsewhere.getByRole('dialog', { name: 'Log in' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill(person.email);
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  // The account's language has its own scripts, so the page loads as a document.
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'es');
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Su admisión');
  await elsewhere.goto('/dashboard/account');
  const section = elsewhere.getByRole('region', { name: 'Idioma' });
  await section.getByRole('combobox').selectOption('English');
  await section.getByRole('button', { name: 'Guardar' }).click();
  await expect(elsewhere.getByText('Your choice is saved.')).toBeVisible();
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'en');
  await Promise.all([spanish.close(), other.close()]);
});

/** Texts written by staff, and names. */
const SAME = [
  /^(Why do you want|A few sentences are|How many hours a week|Most people need|How do you want to|Is there anything we|For example captions)/,
  /^(Choose one|Full time|Part time|I have not)/,
  /Community College of the Air Force|College-Level Examination|Joint Services Transcript/,
];

/** Returns the text of a page, line by line. */
async function lines(page: Page, path: string): Promise<Set<string>> {
  await page.goto(path);
  const read = () => {
    // Countries and time zones: hundreds, many of which have the same name in both languages.
    const options = [...document.querySelectorAll('option')].map((option) => option.text);
    const labels = [...document.querySelectorAll('[aria-label]')].map((element) => element.ariaLabel);
    const all = [document.title, document.body.innerText, ...labels].join('\n').split('\n');
    return all.filter((line) => !options.includes(line.trim()));
  };
  return new Set((await page.evaluate(read)).map((line) => line.trim()));
}

for (const { name, path, owner, status = 200 } of pages) {
  if (path.startsWith('/admin-panel') || path === '/mailbox') continue;
  test(`${name} in Spanish: nothing to complain about, and no English left`, async ({
    page,
    context,
    baseURL,
  }) => {
    if (owner === 'applicant') await registerByApi(context.request, newPerson(), 'ba');
    const english = await lines(page, path);
    await context.addCookies([{ name: 'language', value: 'es', url: baseURL! }]);
    const spanish = await lines(page, path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await page.waitForLoadState('networkidle');
    const heard = complaints(page);
    await page.goto(path);
    await wakeInSpanish(page);
    await page.waitForLoadState('networkidle');
    expect(heard.filter((line) => status === 200 || !line.includes(`status of ${status}`))).toEqual([]);
    const isText = (line: string) => (line.match(/\p{L}{2,}/gu) ?? []).length > 3;
    const left = [...spanish].filter((line) => english.has(line) && isText(line));
    expect(left.filter((line) => !SAME.some((same) => same.test(line)))).toEqual([]);
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `pixels to scroll sideways at ${width}`).toBeLessThanOrEqual(0);
    }
  });
}
