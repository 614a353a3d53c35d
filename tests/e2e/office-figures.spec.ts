// The figures: charts, tables, filters, saved reports and links to the list.

import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessible';
import { complaints, expectSameDocument, hydrated, markDocument } from './support/browser';
import { newPerson, submittedByApi } from './support/people';
import { logInStaff, newOwner } from './support/staff';
import { expect, test } from './support/test';

const FIGURES = '/admin-panel/applications/figures';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('figures are narrowed, told in tables and saved', async ({ page, server, playwright, baseURL }) => {
      const heard = complaints(page);
      const request = await playwright.request.newContext({ baseURL });
      await submittedByApi(request, newPerson());
      await request.dispose();
      await logInStaff(page, newOwner(server));
      await page.goto('/admin-panel/applications?tab=all');
      await page.getByRole('link', { name: 'Figures' }).click();
      await expect(page).toHaveURL(FIGURES);
      for (const chart of [
        /^Chart: applications by how far/,
        /^Chart: days in each stage/,
        /by week and status/,
      ])
        await expect(page.getByRole('group', { name: chart })).toBeVisible();
      await page.getByText('The numbers').nth(1).click();
      const numbers = page.getByRole('region', { name: 'Numbers: How far they have got' });
      await expect(numbers.getByRole('row')).toHaveCount(28);
      if (javaScriptEnabled) {
        await hydrated(page);
        await expectAccessible(page);
        await markDocument(page);
      }

      // Every number links to that many applications. No other test requests this period, so its figures are not
      // cached.
      await page
        .getByRole('link', { name: javaScriptEnabled ? '52 weeks' : 'This year', exact: true })
        .click();
      await expect(page).toHaveURL(/period=(52w|this-year)/);
      if (!(await numbers.isVisible())) await page.getByText('The numbers').nth(1).click();
      const all = numbers.getByRole('row').last().getByRole('link').last();
      const count = await all.innerText();
      await all.click();
      await expect(page.getByRole('status').filter({ hasText: `${count} application` })).toBeVisible();
      await page.goBack();

      await page.getByRole('link', { name: '4 weeks', exact: true }).click();
      await expect(page).toHaveURL(`${FIGURES}?period=4w`);
      await expect(page.getByRole('link', { name: '4 weeks', exact: true })).toHaveAttribute(
        'aria-current',
        'true',
      );
      const show = page.getByRole('button', { name: 'Show' });
      await page.getByLabel('Program').selectOption({ label: 'Master’s' });
      if (!javaScriptEnabled) await show.click();
      await expect(page).toHaveURL(/period=4w.*program=msc/);
      await page.getByLabel('Program').selectOption({ label: 'All' });
      if (!javaScriptEnabled) await show.click();
      await expect(page).not.toHaveURL(/program=msc/);

      // The error is shown next to its field, and stays there.
      await page.getByLabel('Submitted from').fill('2026-05-02');
      await page.getByLabel('Submitted until').fill('2026-05-01');
      await page.getByLabel('Submitted until').press('Enter');
      await expect(page.locator('[data-invalid]')).toContainText('The last day must not be before');
      await expect(page.getByLabel('Submitted until')).toHaveValue('2026-05-01');
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByLabel('Submitted until').fill('2026-05-31');
      await page.getByLabel('Submitted until').press('Enter');
      await expect(page).toHaveURL(/from=2026-05-02&to=2026-05-31/);
      await expect(page.locator('[data-invalid]')).toHaveCount(0);

      const saving = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save as CSV' }).click();
      const file = await readFile(await (await saving).path(), 'utf8');
      expect(file).toContain('Filter,Submitted from,,2026-05-02\r\n');
      const complained = heard.filter((each) => !each.includes('422'));
      if (javaScriptEnabled) {
        expect(complained).toEqual([]);
        await expectSameDocument(page);
      }
    });

    test('a report is saved, mailed and deleted', async ({ page, server }) => {
      const name = `May, ${javaScriptEnabled ? 'scripted' : 'plain'}`;
      await logInStaff(page, newOwner(server));
      await page.goto(`${FIGURES}?period=13w&program=ba`);
      const reports = page.getByRole('region', { name: 'Reports' });
      await reports.getByRole('button', { name: 'Save the report' }).click();
      await expect(reports.getByText('Give the report a name.')).toBeVisible();
      await reports.getByLabel('Save these filters as').fill(name);
      await reports.getByRole('button', { name: 'Save the report' }).click();
      await expect(page.getByText('The report is saved.')).toBeVisible();
      await reports.getByRole('button', { name: `Mail “${name}” to me every week` }).click();
      await expect(page.getByText('You get the report by mail every Monday.')).toBeVisible();
      await reports.getByRole('button', { name: `Stop mails of “${name}”` }).click();
      await expect(page.getByText('You do not get the report by mail any more.')).toBeVisible();
      await page.goto(FIGURES);
      await reports.getByRole('link', { name }).click();
      await expect(page).toHaveURL(`${FIGURES}?period=13w&program=ba`);
      const line = reports.getByRole('listitem').filter({ hasText: name });
      await line.getByText('Delete…').click();
      await line.getByRole('button', { name: `Delete “${name}”` }).click();
      await expect(page.getByText('The report is deleted')).toBeVisible();
      await expect(reports.getByRole('link', { name })).toHaveCount(0);
    });
  });
}

test('the numbers of a bar are shown by pointer and by keyboard', async ({ page, server }) => {
  await logInStaff(page, newOwner(server));
  await page.goto(FIGURES);
  await hydrated(page);
  const chart = page.getByRole('group', { name: 'Chart: applications by how far they came' });
  const bars = chart.getByRole('img');
  await bars.nth(2).locator('.figures-box').hover();
  await expect(bars.nth(2).locator('.figures-tip')).toBeVisible();
  await expect(bars.nth(1).locator('.figures-tip')).toBeHidden();
  await page.mouse.move(0, 0);
  await bars.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(bars.nth(1)).toBeFocused();
  await expect(bars.nth(1)).toHaveAccessibleName(/^Submitted: Applications \d+, Of the stage before/);
  await expect(bars.nth(1).locator('.figures-tip')).toBeVisible();
  await page.keyboard.press('End');
  await expect(bars.last()).toBeFocused();
});
