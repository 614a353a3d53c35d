// Takes a screenshot of every page at three widths in both themes, from a running development server:
//   node scripts/screenshots.mjs FOLDER [URL]
// CHROMIUM selects another browser than the system's. The README's image is docs/screenshot.png.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, stderr, stdout } from 'node:process';
import { chromium } from '@playwright/test';
import { chromium as chromiumFile } from './chromium.mjs';

const [, , folder, base = 'http://127.0.0.1:8080'] = argv;
if (!folder) {
  stderr.write('Usage: node scripts/screenshots.mjs FOLDER [URL]\n');
  process.exit(2);
}

const widths = [360, 768, 1280];
const themes = ['light', 'dark'];

/** By the name of the screenshot: its path, and what to do there first. */
const publicPages = {
  apply: { path: '/bachelor/apply' },
  'apply-masters': { path: '/masters/apply' },
  login: { path: '/bachelor/apply?dialog=login' },
  register: { path: '/bachelor/apply?dialog=register' },
  'register-errors': {
    path: '/bachelor/apply?dialog=register',
    act: (page) => press(page, 'Create account'),
  },
  forgot: { path: '/bachelor/apply?dialog=forgot' },
  'forgot-sent': {
    path: '/bachelor/apply?dialog=forgot',
    async act(page) {
      await page.getByRole('dialog').getByLabel('Email').fill('nobody@example.org');
      await press(page, 'Request Reset');
      await page.getByText('Back to Login').waitFor();
    },
  },
  'reset-code': { path: '/reset-password' },
  'reset-link': { path: '/reset-password?token=abc' },
  'not-found': { path: '/bachelors/apply' },
  crash: { path: '/bachelor/application?fault=throw' },
  'admin-login': { path: '/admin-panel/login' },
  'api-docs': { path: '/api/docs' },
};

const signedInPages = {
  application: { path: '/bachelor/application' },
  ...Object.fromEntries(
    ['about-you', 'military', 'education', 'employment', 'financial-plan', 'questions'].map((section) => [
      `application-${section}`,
      { path: `/bachelor/application/${section}` },
    ]),
  ),
  'application-errors': {
    path: '/bachelor/application/employment',
    async act(page) {
      await page.getByLabel('Hours per week').first().fill('many');
      await press(page, 'Save and continue');
      await page.getByRole('alert').waitFor();
    },
  },
  'application-menu': {
    path: '/bachelor/application/financial-plan',
    act: (page) =>
      page.viewportSize().width < 1024 ? page.locator('.section-menu summary').click() : undefined,
  },
  dashboard: { path: '/dashboard' },
  documents: {
    path: '/dashboard/documents',
    async act(page) {
      const first = page.locator('section.document').first();
      if (await first.locator('li').count()) return;
      const file = (name, text) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(text) });
      const pdf = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\nstartxref\n9\n%%EOF\n';
      await first
        .locator('input[type=file]')
        .setInputFiles([file('Passport.pdf', pdf), file('Back.pdf', 'x')]);
      await first.getByText('not a valid PDF').waitFor();
      await first.getByRole('link', { name: 'Passport.pdf' }).waitFor();
    },
  },
  account: { path: '/dashboard/account' },
  'account-close': { path: '/dashboard/account/close' },
  'account-email': { path: '/dashboard/account/email' },
  'account-email-errors': { path: '/dashboard/account/email', act: (page) => press(page, 'Send the links') },
  messages: { path: '/dashboard/messages' },
  message: {
    path: '/dashboard/messages',
    act: (page) => page.locator('.message-list a').first().click(),
  },
  'confirm-email-spent': { path: '/confirm-email?token=abc' },
  'account-errors': { path: '/dashboard/account', act: (page) => press(page, 'Change password') },
  'apply-signed-in': { path: '/bachelor/apply' },
  'application-other-program': { path: '/masters/application' },
  'application-away': {
    path: '/bachelor/application/employment',
    async act(page) {
      await page.route('**/api/**', (route) => route.abort());
      await page.getByLabel('Job title').first().fill(`Chief, ${page.viewportSize().width}`);
      await page.getByText('Not saved, retrying').waitFor();
      await page.unroute('**/api/**');
    },
  },
  'dashboard-menu': { path: '/dashboard', act: (page) => page.locator('.viewer-menu summary').click() },
  'check-missing': { path: '/bachelor/application/check' },
  mailbox: { path: '/mailbox', act: (page) => page.locator('.mailbox summary').first().click() },
};

/** For an applicant who has answered everything, in this order: some of them change the state. */
const submittedPages = {
  check: { path: '/bachelor/application/check' },
  'check-errors': {
    path: '/bachelor/application/check',
    act: (page) => press(page, 'Submit your application'),
  },
  'thank-you': {
    path: '/bachelor/application/check',
    async act(page) {
      await page.getByRole('checkbox').check();
      await press(page, 'Submit your application');
      await page.waitForURL('/thankyou');
    },
  },
  'application-sent': {
    path: '/bachelor/application',
    act: (page) => page.locator('.sent-actions summary').click(),
  },
  'dashboard-submitted': { path: '/dashboard' },
  // With times to choose from if `matricula seed --demo` has created some.
  schedule: { path: '/schedule' },
  'dashboard-withdrawn': {
    path: '/bachelor/application',
    async act(page) {
      await page.locator('.sent-actions summary').click();
      await page.getByLabel('Why are you withdrawing?').fill('I move to another country.');
      await press(page, 'Withdraw your application');
      await page.waitForURL('/dashboard');
    },
  },
};

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

const browser = await chromium.launch({
  executablePath: chromiumFile(),
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
});
await mkdir(folder, { recursive: true });

/**
 * Registers an applicant who has started an application, or completed it, and returns how a browser signs in as them.
 */
async function applicant(payments = []) {
  const context = await browser.newContext({ baseURL: base });
  const registered = await context.request.post('/api/users/register', {
    data: {
      firstName: 'Demo',
      lastName: 'Applicant',
      email: `demo.${Date.now()}@example.org`,
      password: 'four words in a row',
      dateOfBirth: '1994-05-17',
      phoneNumber: '15555550123',
      country: 'US',
      state: 'VA',
      applicationType: 'ba',
    },
  });
  const { token } = await registered.json();
  const authorized = { Authorization: `Bearer ${token}` };
  const { applicationType, data, revision } = await (
    await context.request.get('/api/users/application', { headers: authorized })
  ).json();
  data.personalInfo = { ...data.personalInfo, isMilitaryAffiliated: true, state: 'VA' };
  data.employment.currentEmployer = {
    name: 'Demo Employer',
    jobTitle: 'Chief',
    hoursPerWeek: 45,
    yearsInRole: '6-10',
  };
  data.employment.hasPreviousEmployment = true;
  data.employment.previousEmployers = [
    { name: 'Former Demo Employer', jobTitle: 'Assistant', hoursPerWeek: 20, yearsInRole: '1-2' },
  ];
  data.financialPlan.selectedPayments = payments;
  data.questionnaire.answers = {
    motivation: 'I have listened to people for years and want to do it well.',
    studyMode: 'part_time',
    hoursPerWeek: 12,
    needsAccommodation: false,
  };
  await context.request.post('/api/users/application', {
    data: { ...data, applicationType },
    headers: { ...authorized, 'If-Match': `"${revision}"` },
  });
  const state = await context.storageState();
  await context.close();
  return state;
}

async function shoot(pages, signIn = async () => undefined) {
  for (const colorScheme of themes) {
    for (const width of widths) {
      const context = await browser.newContext({
        baseURL: base,
        colorScheme,
        viewport: { width, height: width < 700 ? 740 : 860 },
        reducedMotion: 'reduce',
        storageState: await signIn(),
      });
      const page = await context.newPage();
      for (const [name, { path, act }] of Object.entries(pages)) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await act?.(page);
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        // A modal dialog is as high as the window: the page behind it does not matter.
        const fullPage = (await page.locator('dialog[open]').count()) === 0;
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage });
        stdout.write('.');
      }
      await context.close();
    }
  }
}

try {
  await shoot(publicPages);
  const begun = await applicant();
  await shoot(signedInPages, async () => begun);
  // Each of these changes the state, so every size and theme gets another applicant.
  await shoot(submittedPages, () => applicant(['gi_bill', 'employer']));
  stdout.write(`\nThe pictures are in ${folder}\n`);
} finally {
  await browser.close();
}
