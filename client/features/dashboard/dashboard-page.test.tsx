import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DashboardProps } from '../../api/page.gen';
import { DashboardPage } from './dashboard-page';

const waiting: NonNullable<DashboardProps['application']> = {
  programName: 'Master’s program',
  status: 'scheduled',
  stage: 'waitlisted',
  known: { revision: 7, idempotencyKey: 'key-1' },
  reference: 'M26-7KX4-M9CT',
  title: 'You are on the waitlist',
  meaning: 'All places for August 2026 are taken.',
  whoseTurn: 'It is our turn.',
  byWhen: null,
  startedText: 'Monday, May 4, 2026',
  savedText: null,
  submittedText: null,
  waitlist: { sinceText: 'Tuesday, May 5, 2026', numberText: '3 at the moment' },
  sentHref: null,
  canDelete: false,
  canWithdraw: true,
};

const html = (application: DashboardProps['application'], over: Partial<DashboardProps> = {}) => {
  const props: DashboardProps = {
    message: null,
    unconfirmed: null,
    application,
    enrolment: null,
    undo: null,
    decision: null,
    form: null,
    loadFailed: false,
    nextStep: null,
    fee: null,
    documents: null,
    references: null,
    timeline: [],
    past: [],
    side: { title: 'Application Progress', description: '' },
    ...over,
  };
  return renderToString(<DashboardPage {...props} />).replaceAll('<!-- -->', '');
};

test('who waits for a place sees since when and their number, and leaves by withdrawing', () => {
  const markup = html(waiting);
  expect(markup).toContain('<dt>On the waitlist since</dt><dd>Tuesday, May 5, 2026</dd>');
  expect(markup).toContain('<dt>Your number in line</dt><dd>3 at the moment</dd>');
  expect(markup).toMatch(/<button[^>]*value="withdraw"[^>]*>Leave the waitlist/);
  expect(markup).not.toContain('Withdraw your application');

  const hidden = html({ ...waiting, waitlist: { sinceText: 'Tuesday, May 5, 2026', numberText: null } });
  expect(hidden).not.toContain('Your number in line');
});

test('others withdraw, and what they wrote comes back with its error', () => {
  const form = {
    action: 'withdraw',
    values: { withdrawReason: 'I move' },
    errors: { withdrawReason: 'The reason must be at most 1000 characters.' },
  };
  const markup = html({ ...waiting, stage: 'held', waitlist: null }, { form });
  expect(markup).toMatch(/<button[^>]*value="withdraw"[^>]*>Withdraw your application/);
  expect(markup).not.toContain('Leave the waitlist');
  expect(markup).toContain('>I move</textarea>');
  expect(markup).toContain('href="#f-withdrawReason"');
});
