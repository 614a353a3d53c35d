import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { ApplicationProps, CheckProps, Shared } from '../../api/page';
import { addEmployer, answersOf, defaults, pathsOf } from './answers';
import { ApplicationPage } from './application-page';
import { CheckPage } from './check-page';
import { applicationProps, storedApplication } from './testing';

const shared: Shared = {
  path: '/bachelor/application',
  program: 'bachelor',
  viewer: {
    firstName: 'Demo',
    lastName: 'Person',
    email: 'demo@example.com',
    applicationStatus: 'incomplete',
  },
  theme: 'light',
  institute: 'Sample Institute',
  contactEmail: 'admissions@example.edu',
  development: false,
};

function html(over: Partial<ApplicationProps> = {}, viewer = shared.viewer): string {
  return renderToString(
    <ApplicationPage {...applicationProps(over)} shared={{ ...shared, viewer }} renderLogin={() => null} />,
  );
}

const namesIn = (markup: string) => new Set([...markup.matchAll(/name="([^"]*)"/g)].map((match) => match[1]));

describe('the form without JavaScript', () => {
  const employed = storedApplication(3, (data) => {
    data.employment.previousEmployers = [
      { name: 'Demo Shop', jobTitle: '', hoursPerWeek: 0, yearsInRole: '<1' },
    ];
  });
  const markup = html({ application: { ...employed, savedText: 'Saved 14:02' } });

  test('has an input for every answer, hidden questions included', () => {
    expect([...namesIn(markup)]).toEqual(expect.arrayContaining(pathsOf(addEmployer(defaults))));
  });

  test('says which lists were on the page', () => {
    for (const path of [
      'financialPlan.selectedPayments',
      'creditTransfer.selectedPrograms',
      'employment.previousEmployers',
    ]) {
      expect(markup).toContain(`<input type="hidden" name="${path}" value=""/>`);
    }
  });

  test('carries its revision, and saves when Enter is pressed', () => {
    expect(markup).toContain('<input type="hidden" name="revision" value="3"/>');
    expect(/<button[^>]*name="_action"[^>]*>/.exec(markup)?.[0]).toContain('value="save"');
  });

  test('has nothing that the content security policy forbids', () => {
    expect(markup).not.toMatch(/ style=| on[a-z]+=/);
  });
});

test('a form that came back shows what was typed and what is wrong', () => {
  const name = 'employment.currentEmployer.hoursPerWeek';
  const markup = html({
    form: { values: { [name]: '400' }, errors: { [name]: 'Hours per week must be between 0 and 168.' } },
  });
  expect(markup).toContain('value="400"');
  expect(markup).toContain(`href="#f-${name}"`);
});

test('a conflict shows both answers and a choice for all', () => {
  const theirs = storedApplication(4, (data) => {
    data.employment.currentEmployer.name = 'Theirs';
  });
  const path = 'employment.currentEmployer.name';
  const markup = html({
    application: { ...theirs, savedText: null },
    form: { values: { ...answersOf(theirs.data), [path]: 'Mine' }, errors: {} },
    conflict: [path],
  });
  expect(markup).toMatch(/<dd>Mine<\/dd>.*<dd>Theirs<\/dd>.*value="keep-mine".*value="take-theirs"/);
});

test('an application of the other program asks before it is switched', () => {
  const markup = html({ otherProgram: { path: 'masters', name: 'Master’s program' } });
  expect(markup).toContain('value="switch-program"');
  expect(markup).toContain('href="/masters/application"');
});

test('an application that could not be loaded offers Retry and no new start', () => {
  const markup = html({ application: null });
  expect(markup).toContain('We could not load your application');
  expect(markup).toContain('href="/bachelor/application"');
  expect(markup).not.toContain('<form');
});

test('somebody who is not signed in is asked to log in', () => {
  expect(html({ application: null }, null)).toContain('/bachelor/apply?dialog=login');
});

describe('an application that was sent', () => {
  const sent = {
    reference: 'B26-7KX4-M9CT',
    submittedText: 'Mon, May 4, 2026, 07:00 CDT',
    canUnsubmit: true,
    canWithdraw: true,
    idempotencyKey: 'k1',
    form: { values: {}, errors: {} },
  };

  test('is read, and can be taken back or withdrawn', () => {
    const markup = html({ sent });
    expect(markup).toContain('B26-7KX4-M9CT');
    expect(namesIn(markup)).toEqual(new Set(['revision', 'key', '_action', 'reason']));
    expect(markup).toMatch(/value="unsubmit".*value="withdraw"/);
    expect(markup).not.toContain('<details open');
  });

  test('offers only what is possible now', () => {
    expect(html({ sent: { ...sent, canUnsubmit: false, canWithdraw: false } })).not.toContain('<form');
  });

  test('opens the form that was refused', () => {
    const form = { values: { reason: 'x' }, errors: { reason: 'Tell us why.' } };
    expect(html({ sent: { ...sent, form } })).toMatch(/<details open=""[^]*Tell us why\./);
  });
});

describe('checking the answers', () => {
  const { info, choices } = applicationProps();
  const check = (over: Partial<CheckProps> = {}) =>
    renderToString(
      <CheckPage
        check={{
          info,
          choices,
          revision: 3,
          idempotencyKey: 'k1',
          data: storedApplication(3).data,
          sections: storedApplication(3).sections,
          missing: [],
          declaration: 'All of it is true.',
          form: { values: {}, errors: {} },
          ...over,
        }}
      />,
    );

  test('shows every answer that is asked for, with a way to change it', () => {
    const markup = check();
    expect(markup).toContain('href="/bachelor/application#credit-transfer"');
    expect(markup).toContain('None, outside the United States');
    expect(markup).not.toContain('Country of the master’s degree');
    expect(markup).not.toContain('Contribution up front');
    expect(namesIn(markup)).toEqual(new Set(['revision', 'key', 'declaration']));
  });

  test('shows no default in the place of an answer, and no declaration before all is there', () => {
    const path = 'employment.currentEmployer.hoursPerWeek';
    const markup = check({ missing: [{ path, sentence: 'Enter how many hours.' }] });
    expect(markup).not.toContain('0 hours per week');
    expect(markup.match(new RegExp(`href="/bachelor/application#f-${path}"`, 'g'))).toHaveLength(2);
    expect(markup).not.toContain('name="declaration"');
  });
});
