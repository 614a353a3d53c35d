// A year of an institute, in its order: staff log in with its identity provider, its program is told of everything, last
// year's applications are imported, somebody who came to an open day applies, and gets the only place once it is free.

import type { Page } from '@playwright/test';
import { expectAccessibleMidway as accessible } from './support/accessible';
import { hydrated } from './support/browser';
import { countersign, named, sendContract, signContract } from './support/contract';
import { notePayment, openApplication, ownersPage } from './support/desk';
import { PAGE as FEE, setFee } from './support/fee';
import { IdentityProvider, signInAndConsent } from './support/identity-provider';
import { figure, HEADINGS, line, map, part, upload } from './support/imports';
import { confirm, inquire } from './support/inquiries';
import { linkTo, mailsTo } from './support/mailbox';
import { accept, decide } from './support/office';
import { book, makeDay } from './support/open-days';
import { newPerson, type Person } from './support/people';
import { planToPay } from './support/plan';
import { Receiver } from './support/receiver';
import { askForReferences, nameReferee, QUESTION } from './support/references';
import { Server } from './support/server';
import { addProvider, LOG_IN, register } from './support/sign-on';
import { newOwner, tab } from './support/staff';
import { CARDS, expect, lend, payOnPage, test as base } from './support/stripe';
import { complete, submit } from './support/submission';
import { later } from './support/test';
import { DRAFTED, offerFreePlace, openDecision, putOnWaitlist, save, setPlaces } from './support/waitlist';

const test = base.extend<{ provider: IdentityProvider; receiver: Receiver }>({
  // oxlint-disable-next-line no-empty-pattern -- it needs nothing
  provider: async ({}, use) => {
    const provider = await IdentityProvider.start();
    await use(provider);
    await provider.stop();
  },
  // oxlint-disable-next-line no-empty-pattern -- it needs nothing
  receiver: async ({}, use) => {
    const receiver = await Receiver.start();
    await use(receiver);
    receiver.stop();
  },
  ownServer: async ({ stripe, server, browser }, use) => {
    const configuration = { ...stripe.configuration, MATRICULA_PRIVATE_NETWORKS: '127.0.0.1' };
    // To browsers, another site than the provider's 127.0.0.1.
    const own = await Server.start(configuration, 'localhost');
    await lend({ stripe, server, browser }, own, use);
  },
  baseURL: ({ ownServer }, use) => use(ownServer.url),
});

const FIGURES = '/admin-panel/applications/figures';
const CODE = 'GALA-2026';
const PURPOSE = 'Demo student system';
/** Minutes after which a decision is known, and a declined place is free. */
const GRACE = 16;
/** Time for events that a server sends after it was started again. */
const PATIENCE = 30_000;

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Expects the totals of the applications of some days, by status: those that are over come last, then all. */
async function expectTotals(page: Page, query: string, totals: number[]): Promise<void> {
  await page.goto(`${FIGURES}?${query}`);
  await hydrated(page);
  await page.getByText('The numbers').nth(1).click();
  const numbers = page.getByRole('region', { name: 'Numbers: How far they have got' });
  await expect(numbers.getByRole('row').last().getByRole('cell')).toHaveText(totals.map(String));
}

/** Applies with a referee, whose address is returned with the application's reference number. */
async function apply(page: Page, person: Person): Promise<{ reference: string; referee: string }> {
  const referee = newPerson().email;
  await complete(page.request, person);
  await page.goto('/dashboard/references');
  await nameReferee(page, referee, /^Yes, I waive my right/);
  await expect(page.getByRole('status').first()).toContainText('Your referee is on the list.');
  await page.goto('/bachelor/application/check');
  return { reference: await submit(page), referee };
}

test('a year goes from the first inquiry to the enrollment, and all who follow it are told the same', async ({
  browser,
  provider,
  receiver,
  ownServer,
}) => {
  test.setTimeout(300_000);
  const placed = { ...newPerson(), lastName: 'Placed' };
  const waiting = { ...newPerson(), lastName: 'Waiting' };

  const elsewhere = () => browser.newPage({ baseURL: ownServer.url });
  const owners = () => ownersPage(browser, ownServer, true);
  /** Logs in with the provider, on the way to a page. */
  const signedOn = async (path: string) => {
    const page = await elsewhere();
    await page.goto(path);
    await page.getByRole('link', { name: LOG_IN }).click();
    await signInAndConsent(page, 'demo');
    await expect(page).toHaveURL(path);
    return page;
  };
  /** Expects what the program was told of an application, from its submission on. */
  const expectTold = async (reference: string, ...events: string[]) => {
    const told = () =>
      receiver.events.filter(({ data }) => data.reference === reference).map(({ type }) => type);
    await expect.poll(told, { timeout: PATIENCE }).toEqual(events);
  };

  const reader = await test.step('staff log in with single sign-on', async () => {
    const owner = await owners();
    await owner.goto('/admin-panel/settings/sign-on');
    await addProvider(owner, provider.issuer, 'Reviewer', 'readers');
    await register(owner, provider, ownServer);
    await owner.close();
    const email = `reader.${process.pid}@example.org`;
    await provider.setAccount('demo', {
      email,
      email_verified: true,
      name: 'Demo Reader',
      groups: ['readers'],
    });
    return signedOn('/admin-panel/prospects');
  });

  const call = await test.step('the institute’s program has a key, and is told of events', async () => {
    const owner = await owners();
    await owner.goto('/admin-panel/account/keys');
    await owner.getByLabel('What is it for?').fill(PURPOSE);
    await owner.getByRole('button', { name: 'Make key' }).click();
    await expect(owner.getByText('it is shown only once')).toBeVisible();
    const key = await owner.locator('.secret-text').innerText();
    await owner.goto('/admin-panel/settings/webhooks');
    await owner.getByLabel('What is it for?').fill(PURPOSE);
    await owner.getByLabel('Address').fill(receiver.url);
    await owner.getByRole('button', { name: 'Add endpoint' }).click();
    await expect(owner.getByRole('status')).toContainText('it is shown only once');
    await owner.close();
    return async (path: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await fetch(`${ownServer.url}/api/admins/${path}`, { headers });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as unknown;
    };
  });

  const lastYear = new Date().getFullYear() - 1;
  await test.step('last year’s applications are imported', async () => {
    const owner = await owners();
    await owner.goto('/admin-panel/imports');
    const days = `15.03.${lastYear};20.04.${lastYear}`;
    const past = [
      line({ ...newPerson(), lastName: 'Alum' }, 'Enrolled', 'A-1'),
      line({ ...newPerson(), lastName: 'Over' }, 'Rejected', 'A-2'),
    ];
    const dated = past.map((row) => `${row};${days}`);
    await upload(owner, 'last year.csv', dated, `${HEADINGS};Submitted on;Ended on`);
    await map(owner);
    await owner.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(part(owner, 'What came in')).toBeVisible({ timeout: 30_000 });
    await expect(figure(owner, 'Imported')).toContainText('2');
    await owner.close();
    expect(await call('applications?tab=all')).toMatchObject({ count: 2 });
  });

  await test.step('the next intake has references, a fee and one place', async () => {
    const owner = await owners();
    await askForReferences(owner, hydrated);
    await setFee(owner);
    await owner.goto('/admin-panel/fee-codes');
    await owner.locator('input[name="code"]').fill(CODE);
    await owner.getByLabel('Maximum uses (optional)').fill('1');
    await owner.getByRole('button', { name: 'Create the code' }).click();
    await expect(owner.getByRole('status')).toContainText('The code is created.');
    await setPlaces(owner);
    await save(owner);
    await owner.close();
  });

  await test.step('somebody asks for the brochure, and books an open day', async () => {
    const { title, path } = await makeDay(reader, { program: 'ba' });
    const visitor = await elsewhere();
    const mails = async () => (await mailsTo(visitor.request, waiting.email)).length;
    await visitor.goto('/bachelor/apply');
    await inquire(visitor, waiting.email);
    await expect(heading(visitor)).toHaveText('Check your email');
    await confirm(visitor, waiting.email);
    await expect.poll(mails).toBe(2);
    await expect(async () => {
      await visitor.goto('/bachelor/apply');
      await expect(visitor.getByRole('main')).toContainText(title, { timeout: 500 });
    }).toPass();
    await visitor.goto(path);
    await book(visitor.getByRole('main').locator('form'), waiting.email, '2');
    await expect(visitor.getByRole('main')).toContainText(/booked/);
    await expect.poll(mails).toBe(3);
    await visitor.close();
    await reader.reload();
    await expect(reader.getByRole('row').filter({ hasText: waiting.email })).toBeVisible();
  });

  const first = await elsewhere();
  const firstReference = await test.step('an applicant pays the fee by card', async () => {
    const { reference } = await apply(first, placed);
    await first.goto(FEE);
    await first.getByRole('button', { name: 'Pay $75 by card' }).click();
    await expect(heading(first)).not.toHaveText('Application fee');
    await payOnPage(first, CARDS.good);
    await expect(first.getByText('Thank you. Your payment has arrived.')).toBeVisible();
    await expectTold(reference, 'application.submitted', 'payment.received', 'fee.settled');
    return reference;
  });

  const second = await elsewhere();
  const secondReference = await test.step('another has a code, and a reference', async () => {
    const { reference, referee } = await apply(second, waiting);
    await second.goto(FEE);
    await second.getByLabel('Code', { exact: true }).fill(CODE);
    await second.getByRole('button', { name: 'Use the code' }).click();
    await expect(second.getByText('Thank you. Your code is accepted.')).toBeVisible();
    const writer = await elsewhere();
    await expect.poll(async () => (await mailsTo(writer.request, referee)).length).toBe(1);
    await writer.goto(await linkTo(writer.request, referee));
    await writer.getByLabel(QUESTION).fill('They listen.');
    await writer.getByRole('button', { name: 'Send the reference' }).click();
    await expect(heading(writer)).toHaveText('Thank you, Demo Referee');
    await writer.close();
    await expectTold(reference, 'application.submitted', 'fee.settled', 'reference.received');

    await openApplication(reader, reference);
    await tab(reader, 'Documents').click();
    const references = reader.getByRole('region', { name: /^References/ });
    await references.getByText(/^Answers/).click();
    await expect(references.getByText('They listen.')).toBeVisible();
    await reader.goto(`/admin-panel/prospects?search=${waiting.email}`);
    await expect(reader.getByRole('main').getByRole('row').filter({ hasText: waiting.email })).toContainText(
      'Became an applicant',
    );
    await reader.close();
    return reference;
  });

  await test.step('the place is offered to one, and the other waits', async () => {
    accept(ownServer, firstReference);
    decide(ownServer, secondReference, DRAFTED);
    const owner = await owners();
    await openDecision(owner, secondReference);
    await expect(owner.getByRole('main')).toContainText('No place is left in this intake.');
    await putOnWaitlist(owner);
    await owner.close();
    await second.goto('/dashboard');
    await expect(second.getByRole('heading', { name: 'You are on the waitlist', exact: true })).toBeVisible();
  });

  await test.step('the one declines', async () => {
    await later(ownServer, GRACE);
    await first.goto('/dashboard');
    await hydrated(first);
    await expect(first.getByRole('heading', { name: 'Reply to our offer' })).toBeVisible();
    await first.getByText('Decline the offer', { exact: true }).click();
    await first.getByLabel('Why are you declining? (optional)').fill('I move to another country.');
    await first.getByRole('button', { name: 'Yes, decline the offer' }).click();
    await expect(first.getByText('You have declined our offer for the Bachelor’s program')).toBeVisible();
    await expectTold(
      firstReference,
      'application.submitted',
      'payment.received',
      'fee.settled',
      'decision.released',
      'offer.declined',
    );
    await first.close();
  });

  await test.step('the other is offered the place, once it is free', async () => {
    await later(ownServer, 2 * GRACE);
    const owner = await owners();
    await offerFreePlace(owner, secondReference, accessible);
    await owner.close();
    await second.goto('/dashboard');
    await expect(second.getByRole('heading', { name: 'You are on the waitlist', exact: true })).toBeVisible();
  });

  await test.step('they accept, plan, sign and pay, and are enrolled', async () => {
    await later(ownServer, 3 * GRACE);
    await second.goto('/dashboard');
    await expect(second.getByRole('heading', { name: 'Reply to our offer' })).toBeVisible();
    await planToPay(second, '4,800', '5,000');
    const desk = await elsewhere();
    await named(desk, newOwner(ownServer));
    await openApplication(desk, secondReference);
    await sendContract(desk);
    await signContract(second, waiting);
    await countersign(desk);
    await second.goto('/dashboard');
    await expect(second.getByText('Your first payment of $4,800 is due on')).toBeVisible();
    await notePayment(desk);
    await desk.close();
    await second.goto('/dashboard');
    await expect(
      second.getByRole('region', { name: /You are enrolled in the Bachelor’s program/ }),
    ).toBeVisible();
    await accessible(second);
    await expectTold(
      secondReference,
      'application.submitted',
      'fee.settled',
      'reference.received',
      'application.waitlisted',
      'decision.released',
      'application.confirmed',
      'payment.received',
      'application.enrolled',
    );
  });

  await test.step('the program and the figures tell the same', async () => {
    // What was imported is told to nobody.
    const { events } = receiver;
    expect(new Set(events.map(({ data }) => data.reference))).toEqual(
      new Set([firstReference, secondReference]),
    );
    const payments = events.filter(({ type }) => type === 'payment.received');
    expect(payments.map(({ data }) => [data['line'], data['cents']])).toEqual([
      ['application-fee', 7_500],
      ['instalment-1', 480_000],
    ]);
    const stages = new Map(
      events.flatMap(({ data }) => ('stage' in data ? [[data.applicationId, data['stage']]] : [])),
    );
    expect([...stages.values()].toSorted()).toEqual(['archived', 'enrolled']);
    for (const [id, stage] of stages) expect(await call(`applications/${id}`)).toMatchObject({ stage });
    const { intakes } = (await call('capacity')) as { intakes: { enrolled: number }[] };
    expect(intakes.filter(({ enrolled }) => enrolled > 0)).toMatchObject([
      { applicationType: 'ba', places: 1, offered: 0, confirmed: 0, enrolled: 1, waiting: 0, left: 0 },
    ]);

    const page = await signedOn(`${FIGURES}?period=4w`);
    await expect(heading(page)).toHaveText('Figures');
    const count = (kind: string) => events.filter(({ type }) => type === kind).length;
    const [submitted, enrolled, declined] = [
      count('application.submitted'),
      count('application.enrolled'),
      count('offer.declined'),
    ];
    expect([submitted, enrolled, declined]).toEqual([2, 1, 1]);
    await accessible(page);
    await expectTotals(page, 'period=4w', [0, 0, 0, enrolled, 0, 0, declined, submitted]);
    const places = page.getByRole('group', { name: 'Chart: places by intake' });
    await expect(
      places.getByRole('img', {
        name: /^Bachelor.*: Offers out 0, Deferred to it 0, Accepted 0, Enrolled 1, Free 0, On the waitlist 0$/,
      }),
    ).toHaveCount(1);
    await expectTotals(page, `from=${lastYear}-01-01&to=${lastYear}-12-31`, [0, 0, 0, 1, 0, 1, 0, 2]);
    await page.close();
  });
});
