// The waitlist: an Owner limits the places, somebody waits for one, and it is offered when it becomes free, by staff or by
// the rule.

import type { Page } from '@playwright/test';
import { expectAccessibleMidway } from './support/accessible';
import { ownersPage } from './support/desk';
import { mailsTo } from './support/mailbox';
import { accept, decide } from './support/office';
import { bearer, newPerson, submittedByApi } from './support/people';
import { expect, later, test as base } from './support/test';
import {
  DRAFTED,
  offerFreePlace,
  openDecision,
  places,
  putOnWaitlist,
  save,
  setPlaces,
  WAITLIST,
} from './support/waitlist';

// What is set here would affect all tests.
const test = base.extend({ baseURL: ({ ownServer }, use) => use(ownServer.url) });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const accessible = async (page: Page) => {
      if (javaScriptEnabled) await expectAccessibleMidway(page);
    };

    test('somebody waits for a place of a full intake, and is offered one', async ({
      page,
      context,
      browser,
      playwright,
      ownServer,
    }) => {
      test.slow();
      const first = await playwright.request.newContext({ baseURL: ownServer.url });
      const has = await submittedByApi(first, { ...newPerson(), lastName: 'Placed' });
      const person = { ...newPerson(), lastName: 'Waiting' };
      const { reference } = await submittedByApi(context.request, person);

      let owner = await ownersPage(browser, ownServer, javaScriptEnabled);
      await owner.goto(WAITLIST);
      await expect(heading(owner)).toHaveText('Waitlist');
      await expect(owner.getByRole('main')).toContainText('Nobody waits');
      await accessible(owner);
      await owner.goto('/admin-panel/settings');
      await owner.getByRole('link', { name: 'Places, bachelor’s program' }).click();
      await places(owner).first().fill('many');
      await owner.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(owner.getByRole('alert')).toContainText('whole number');
      await expect(places(owner).first()).toHaveValue('many');
      await accessible(owner);
      await setPlaces(owner);
      await owner.getByLabel('Applicants see their number in the line').selectOption('yes');
      await save(owner);

      // The only place is offered to somebody else, and the next acceptance cannot be released.
      accept(ownServer, has.reference, 16);
      decide(ownServer, reference, DRAFTED);
      await openDecision(owner, reference);
      await expect(owner.getByRole('main')).toContainText('No place is left in this intake.');
      await accessible(owner);
      await owner.getByRole('radio', { name: 'Now' }).check();
      await owner.getByRole('button', { name: 'Release the decision' }).click();
      await expect(owner.getByRole('alert')).toContainText('No place is left in this intake.');
      await putOnWaitlist(owner);
      await expect(owner.getByRole('main')).toContainText('Number 1');
      await accessible(owner);
      await owner
        .getByRole('navigation', { name: 'Office' })
        .getByRole('link', { name: 'Waitlist', exact: true })
        .click();
      await expect(owner).toHaveURL(WAITLIST);
      const row = owner.getByRole('row').filter({ hasText: reference });
      await expect(row).toContainText('Demo Waiting');
      await expect(row.getByRole('button', { name: /^Offer the place/ })).toHaveCount(0);
      await expect(owner.getByRole('main')).toContainText('No place can be offered now.');
      await accessible(owner);
      await owner.goto('/admin-panel/applications/figures');
      await expect(owner.getByRole('region', { name: 'Places', exact: true })).toContainText(
        'Not enough history',
      );
      await accessible(owner);

      // The mail tells nothing; the dashboard does.
      const [mail] = await mailsTo(context.request, person.email);
      expect(mail!.subject + mail!.text).not.toMatch(/waitlist|place|accept|offer/i);
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'You are on the waitlist', exact: true })).toBeVisible();
      await expect(page.getByRole('main')).toContainText(/all places for \w+\s\d{4} are taken/);
      await expect(page.getByRole('main')).toContainText('1 at the moment');
      await accessible(page);
      await page.locator('summary').filter({ hasText: 'Leave the waitlist' }).click();
      await page.getByRole('button', { name: 'Leave the waitlist' }).click();
      const why = page.getByLabel('Why are you leaving the waitlist?');
      await expect(why).toHaveAttribute('aria-invalid', 'true');
      await accessible(page);
      await why.fill('I go elsewhere.');
      await page.getByRole('button', { name: 'Leave the waitlist' }).click();
      await expect(page.getByText('You have left the waitlist').first()).toBeVisible();
      await owner.goto(WAITLIST);
      await expect(row).toHaveCount(0);
      await accessible(page);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('heading', { name: 'You are on the waitlist', exact: true })).toBeVisible();

      // Somebody declines; until that can no longer be undone, the place is theirs.
      const declined = await first.post('/api/users/offer', {
        data: { reply: 'decline' },
        headers: bearer(has.token),
      });
      expect(declined.status(), await declined.text()).toBe(200);
      await first.dispose();
      await owner.goto(WAITLIST);
      await expect(row).toHaveCount(1);
      await expect(row.getByRole('button', { name: /^Offer the place/ })).toHaveCount(0);
      await owner.close();
      await later(ownServer, 16);
      owner = await ownersPage(browser, ownServer, javaScriptEnabled);
      await offerFreePlace(owner, reference, accessible);
      await expect(owner.getByRole('row').filter({ hasText: reference })).toHaveCount(0);
      await accessible(owner);
      await owner.close();
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'You are on the waitlist', exact: true })).toBeVisible();
      await later(ownServer, 32);
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'Reply to our offer' })).toBeVisible();
      await expect(page.getByRole('main')).not.toContainText('waitlist');
      await accessible(page);
    });

    test('the line is put in another order, and the product offers a place to the first', async ({
      page,
      context,
      browser,
      playwright,
      ownServer,
    }) => {
      test.slow();
      const other = await playwright.request.newContext({ baseURL: ownServer.url });
      const has = await submittedByApi(other, { ...newPerson(), lastName: 'Placed' });
      accept(ownServer, has.reference, 16);
      const owner = await ownersPage(browser, ownServer, javaScriptEnabled);
      await setPlaces(owner);
      await owner.getByLabel('Who offers a place that becomes free').selectOption('order');
      await save(owner);
      const references: string[] = [];
      for (const [request, lastName] of [
        [await playwright.request.newContext({ baseURL: ownServer.url }), 'Earlier'],
        [context.request, 'Later'],
      ] as const) {
        const { reference } = await submittedByApi(request, { ...newPerson(), lastName });
        references.push(reference);
        decide(ownServer, reference, DRAFTED);
        await openDecision(owner, reference);
        await putOnWaitlist(owner);
      }
      await owner.goto(WAITLIST);
      const rows = owner.getByRole('row').filter({ hasText: /Demo (Earlier|Later)/ });
      await expect(rows).toContainText(['Demo Earlier', 'Demo Later']);
      await expect(owner.getByRole('main')).toContainText('offered to the first in line automatically');
      await owner.getByRole('button', { name: 'Move Demo Later up' }).click();
      await expect(owner.getByRole('status').first()).toContainText('The line is changed.');
      await expect(rows).toContainText(['Demo Later', 'Demo Earlier']);
      await expect(rows.first()).toContainText('moved by hand');
      await accessible(owner);

      // One of them is taken off, with a reason, and put back.
      await rows
        .last()
        .getByRole('link', { name: /^Take off/ })
        .click();
      await expect(owner.getByRole('heading', { name: 'Take off the waitlist' })).toBeVisible();
      await accessible(owner);
      await owner.getByLabel('Reason').fill('They have written to us.');
      await owner.getByRole('button', { name: 'Take it off' }).click();
      await expect(owner.getByRole('status').first()).toContainText('The application is off the waitlist.');
      await owner.goto(WAITLIST);
      await expect(rows).toHaveCount(1);
      await expect(rows).toContainText('Demo Later');
      await openDecision(owner, references[0]!);
      await putOnWaitlist(owner);
      await owner.close();

      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'You are on the waitlist', exact: true })).toBeVisible();
      await expect(page.getByRole('main')).not.toContainText('Your number in line');
      const declined = await other.post('/api/users/offer', {
        data: { reply: 'decline' },
        headers: bearer(has.token),
      });
      expect(declined.status(), await declined.text()).toBe(200);
      await other.dispose();
      await later(ownServer, 16);
      const checking = await ownersPage(browser, ownServer, javaScriptEnabled);
      await expect(async () => {
        await checking.goto(WAITLIST);
        await expect(checking.getByRole('row').filter({ hasText: references[1]! })).toHaveCount(0, {
          timeout: 1_000,
        });
      }).toPass();
      await expect(checking.getByRole('row').filter({ hasText: references[0]! })).toHaveCount(1);
      await checking.close();
      await later(ownServer, 32);
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { name: 'Reply to our offer' })).toBeVisible();
    });

    test('in Spanish, the dashboard of somebody who waits', async ({
      page,
      context,
      browser,
      playwright,
      ownServer,
    }) => {
      const other = await playwright.request.newContext({ baseURL: ownServer.url });
      const has = await submittedByApi(other, newPerson());
      await other.dispose();
      accept(ownServer, has.reference, 16);
      const owner = await ownersPage(browser, ownServer, javaScriptEnabled);
      await setPlaces(owner);
      await owner.getByLabel('Applicants see their number in the line').selectOption('yes');
      await save(owner);
      await context.addCookies([{ name: 'language', value: 'es', url: ownServer.url }]);
      const { reference } = await submittedByApi(context.request, newPerson());
      decide(ownServer, reference, DRAFTED);
      await openDecision(owner, reference);
      await putOnWaitlist(owner);
      await owner.close();
      await page.goto('/dashboard');
      await expect(page.locator('html')).toHaveAttribute('lang', 'es');
      await expect(page.getByRole('main')).not.toContainText(/\b(the|your|you|waitlist|places?)\b/i);
      await accessible(page);
    });
  });
}
