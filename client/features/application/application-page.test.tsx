import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import type { ApplicationProps, CheckProps, Page, Shared } from '../../api/page.gen';
import { ThemeRoot } from '../../theme/theme-root';
import { addEmployer, answersOf, defaults, pathsOf } from './answers';
import { ApplicationPage } from './application-page';
import { CheckPage } from './check-page';
import { hrefAfter, ownPage } from './own-pages';
import { SectionForm, SentApplication } from './parts';
import { sectionOf, sections } from './sections';
import { applicationProps, storedApplication } from './testing';

await Promise.all([SectionForm.load(), SentApplication.load()]);

const shared: Shared = {
  path: '/bachelor/application',
  program: 'bachelor',
  viewer: {
    firstName: 'Demo',
    lastName: 'Person',
    email: 'demo@example.com',
    applicationStatus: 'incomplete',
    unreadMessages: 0,
  },
  theme: 'light',
  language: 'en',
  institute: 'Sample Institute',
  contactEmail: 'admissions@example.edu',
  development: false,
  passkeys: true,
};

/** Renders as the server does, without the styles that emotion inserts here and no document contains. */
function rendered(screen: ReactNode): string {
  return renderToString(<ThemeRoot>{screen}</ThemeRoot>).replace(/<style[^>]*>[^<]*<\/style>/g, '');
}

function html(over: Partial<ApplicationProps> = {}, viewer = shared.viewer): string {
  return rendered(
    <MemoryRouter>
      <ApplicationPage page={pageWith(over, viewer)} renderLogin={() => null} />
    </MemoryRouter>,
  );
}

function pageWith(over: Partial<ApplicationProps> = {}, viewer = shared.viewer) {
  const page: Page = {
    route: 'application',
    status: 200,
    head: { title: 'Application – Bachelor of Arts – Sample Institute' },
    shared: { ...shared, viewer },
    props: applicationProps(over),
  };
  return page;
}

const namesIn = (markup: string) => new Set([...markup.matchAll(/name="([^"]*)"/g)].map((match) => match[1]));

describe('the form without JavaScript', () => {
  const employed = storedApplication(3, (data) => {
    data.employment.previousEmployers = [
      { name: 'Demo Shop', jobTitle: '', hoursPerWeek: 0, yearsInRole: '<1' },
    ];
  });
  const application = { ...employed, savedText: 'Saved 14:02' };
  const markup = sections.map(({ id }) => html({ application, section: id })).join('');

  test('has an input for every answer in one of its sections, hidden questions included', () => {
    expect([...namesIn(markup)]).toEqual(expect.arrayContaining(pathsOf(addEmployer(defaults))));
    for (const path of pathsOf(addEmployer(defaults))) {
      expect(namesIn(html({ application, section: sectionOf(path) }))).toContain(path);
    }
  });

  test('folds the employers about whom everything is said, unless something is wrong there', () => {
    const list = 'employment.previousEmployers';
    const employer = (index: number, jobTitle: string) => ({
      [`${list}.${index}.name`]: 'Demo Shop',
      [`${list}.${index}.jobTitle`]: jobTitle,
      [`${list}.${index}.hoursPerWeek`]: '20',
      [`${list}.${index}.yearsInRole`]: '<1',
    });
    const page = html({
      application,
      section: 'employment',
      form: {
        values: { ...employer(0, 'Clerk'), ...employer(1, ''), ...employer(2, 'Clerk') },
        errors: { [`${list}.2.hoursPerWeek`]: 'Hours per week must be between 0 and 168.' },
      },
    });
    const folded = [...page.matchAll(/<details class="employer [^"]*"( open="")?><summary[^>]*>([^<]*)/g)];
    expect(folded.map(([, open, words]) => [open !== undefined, words])).toEqual([
      [false, 'Demo Shop, Clerk'],
      [true, 'About this employer'],
      [true, 'Demo Shop, Clerk'],
    ]);
    expect(html({ application, section: 'employment' })).toMatch(/<details class="employer [^"]*" open=""/);
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

  test('carries its revision, and goes on when Enter is pressed', () => {
    expect(markup).toContain('<input type="hidden" name="revision" value="3"/>');
    expect(/<button[^>]*name="_action"[^>]*>/.exec(markup)?.[0]).toContain('value="continue"');
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
  const markup = html({
    otherProgram: {
      path: 'masters',
      applicationType: 'msc',
      name: 'Master’s program',
      degree: 'Master of Arts',
    },
  });
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
    fee: null,
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

  test('leads to the fee that it waits for before the interview', () => {
    const application = { ...storedApplication(3), stage: 'submitted', savedText: null };
    expect(html({ sent, application })).toContain('href="/schedule"');
    const fee = { href: '/bachelor/application/fee', label: 'Pay the application fee' };
    const markup = html({ sent: { ...sent, fee }, application });
    expect(markup).toContain('href="/bachelor/application/fee"');
    expect(markup).not.toContain('href="/schedule"');
  });

  test('opens the form that was refused', () => {
    const form = { values: { reason: 'x' }, errors: { reason: 'Tell us why.' } };
    expect(html({ sent: { ...sent, form } })).toMatch(/<details open=""[^]*Tell us why\./);
  });
});

describe('checking the answers', () => {
  const { info, questionnaire } = applicationProps();
  const check = (over: Partial<CheckProps> = {}) =>
    renderToString(
      <MemoryRouter>
        <CheckPage
          applicant="zoe@example.org"
          check={{
            info,
            questionnaire,
            revision: 3,
            idempotencyKey: 'k1',
            data: storedApplication(3).data,
            sections: storedApplication(3).sections,
            missing: [],
            asksReferees: false,
            changes: null,
            fee: null,
            declaration: 'All of it is true.',
            form: { values: {}, errors: {} },
            ...over,
          }}
        />
      </MemoryRouter>,
    );

  test('shows every answer that is asked for, with a way to change it', () => {
    const markup = check();
    expect(markup).toContain(
      'href="/bachelor/application/credit-transfer?from=check#f-creditTransfer.selectedPrograms"',
    );
    expect(markup).toContain('None, outside the United States');
    expect(markup).not.toContain('Country of the master’s degree');
    expect(markup).not.toContain('Up-front contribution');
    expect(namesIn(markup)).toEqual(new Set(['revision', 'key', 'declaration']));
  });

  test('shows no default in the place of an answer, and no declaration before all is there', () => {
    const path = 'employment.currentEmployer.hoursPerWeek';
    const markup = check({
      missing: [{ path, section: 'employment', sentence: 'Enter how many hours.', href: null }],
    });
    expect(markup).not.toContain('0 hours per week');
    const href = `href="/bachelor/application/employment?from=check#f-${path}"`;
    expect(markup.split(href)).toHaveLength(3);
    expect(markup).not.toContain('name="declaration"');
  });
});

describe('the list of the sections', () => {
  const path = 'employment.currentEmployer.name';
  const listed = (states: Partial<NonNullable<ApplicationProps['application']>['sections']>) => {
    const stored = storedApplication(3);
    return html({
      section: null,
      application: { ...stored, sections: { ...stored.sections, ...states }, savedText: 'Saved 14:02' },
      missing: [{ path, section: 'employment', sentence: 'Enter the name.', href: null }],
    });
  };

  test('leads to every section and says what is next', () => {
    const markup = listed({});
    for (const { id } of sections) expect(markup).toContain(`href="/bachelor/application/${id}"`);
    expect(markup).toContain('Begin: About you');
    expect(markup).not.toContain('Enter the name.');
    expect(markup).toContain('12 months');
  });

  test('tells what is missing in a section that was begun', () => {
    const markup = listed({ 'about-you': 'complete', employment: 'in-progress' });
    expect(markup).toContain('Continue: Military and DoD');
    expect(markup).toContain(`href="/bachelor/application/employment#f-${path}"`);
  });

  test('leads to the check once everything is complete', () => {
    const complete = Object.fromEntries(sections.map(({ id }) => [id, 'complete']));
    const markup = listed(complete);
    expect(markup).toContain('Check your answers and submit');
    expect(markup).toContain('href="/bachelor/application/check#declaration"');
  });
});

describe('pages of sections that are made here', () => {
  const page = pageWith({ section: 'employment', form: { values: {}, errors: { x: 'Wrong.' } } });
  const own = (path: string, isAway = false) => ownPage(page, new URL(path, 'http://localhost'), isAway);

  test('are those of the address, without what came back with a form', () => {
    const military = own('/bachelor/application/military?from=check')!;
    expect(military.props).toMatchObject({ section: 'military', fromCheck: true, form: null });
    expect(military.shared.path).toBe('/bachelor/application/military?from=check');
    expect(military.head.title).toBe('Military and DoD – Application – Bachelor of Arts – Sample Institute');
    expect(military.props.application).toBe(page.props.application);
  });

  test('are no others, and the list only while the server is away', () => {
    expect(own('/bachelor/application')).toBeUndefined();
    expect(own('/bachelor/application', true)!.props.section).toBeNull();
    for (const path of [
      '/bachelor/application/check',
      '/bachelor/application/nowhere',
      '/masters/application/military',
    ]) {
      expect(own(path, true)).toBeUndefined();
    }
  });

  test('follow each other, and lead back to the check that they came from', () => {
    const { info } = page.props;
    expect(hrefAfter({ info, fromCheck: false, changes: null }, 'about-you')).toBe(
      '/bachelor/application/military',
    );
    expect(hrefAfter({ info, fromCheck: true, changes: null }, 'about-you')).toBe(
      '/bachelor/application/check',
    );
    expect(hrefAfter({ info, fromCheck: false, changes: null }, sections.at(-1)!.id)).toBe(
      '/bachelor/application/check',
    );
  });
});

describe('an application that staff ask to be changed', () => {
  const changes = {
    sections: ['education' as const, 'questions' as const],
    message: 'Please.\nThank you.',
    dueText: 'Wednesday, May 20, 2026',
  };

  test('says what and by when, and opens nothing else', () => {
    const markup = html({ section: null, changes });
    expect(markup).toContain('Please change your application by Wednesday, May 20, 2026');
    expect(markup).toContain('<p>Please.</p><p>Thank you.</p>');
    expect(markup).toContain('href="/bachelor/application/education"');
    expect(markup).not.toContain('/application/employment');
    expect(markup.split('As submitted')).toHaveLength(sections.length - changes.sections.length + 1);
  });

  test('leads from one open section to the other, and then to the check', () => {
    const page = pageWith({ section: 'education', changes });
    const { info } = page.props;
    expect(hrefAfter({ info, fromCheck: false, changes }, 'education')).toBe(
      '/bachelor/application/questions',
    );
    expect(hrefAfter({ info, fromCheck: false, changes }, 'questions')).toBe('/bachelor/application/check');
    const closed = new URL('/bachelor/application/military', 'http://localhost');
    expect(ownPage(page, closed, false)).toBeUndefined();
  });
});
