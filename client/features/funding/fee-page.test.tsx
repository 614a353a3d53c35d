import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { FeeProps } from '../../api/page.gen';
import { FeePage } from './fee-page';

const due: FeeProps = {
  info: { path: 'masters', applicationType: 'msc', name: 'Master’s program', degree: 'Master of Science' },
  state: 'due',
  word: 'To be paid',
  meaning: 'We will read it once the fee is paid.',
  amountText: '$75',
  owedText: null,
  intakeText: 'August 2026',
  settledText: null,
  code: null,
  open: true,
  provider: 'Stripe',
  canAsk: true,
  request: null,
  receipts: [],
  reference: 'M26-7KX4-M9CT',
  canBook: false,
  form: { values: {}, errors: {} },
};

const html = (over: Partial<FeeProps> = {}) =>
  renderToString(<FeePage {...due} {...over} contactEmail="admissions@example.org" />).replaceAll(
    '<!-- -->',
    '',
  );
const acts = (markup: string) => [...markup.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, act]) => act);

test('a fee that is due can be paid, or waived by a code or on request', () => {
  const markup = html();
  expect(acts(markup)).toEqual(['pay', 'code', 'need']);
  expect(markup).toContain('Pay $75 by card');
  expect(markup.match(/action="\/masters\/application\/fee"/g)).toHaveLength(3);
  expect(acts(html({ provider: null, canAsk: false }))).toEqual(['code']);
  expect(html({ owedText: '$25' })).toContain('Pay $25 by card');
});

test('what was typed comes back with its error', () => {
  const markup = html({
    form: { values: { code: 'GALA' }, errors: { code: 'This code has been used up.' } },
  });
  expect(markup).toMatch(/value="GALA"/);
  expect(markup).toContain('href="#f-code"');
});

test('a request is shown with our answer', () => {
  const request = {
    askedText: 'You wrote on Monday:',
    statement: 'I lost my job.',
    waits: true,
    refused: null,
  };
  const waiting = html({ canAsk: false, request });
  expect(waiting).toContain('I lost my job.');
  expect(waiting).toContain('We are looking at it');
  const refused = { text: 'We wrote on Tuesday:', reason: 'You have a scholarship.' };
  const answered = html({ canAsk: false, request: { ...request, waits: false, refused } });
  expect(answered).toContain('You have a scholarship.');
  expect(answered).not.toContain('We are looking at it');
});

test('a settled fee leads on, and to its receipt', () => {
  const markup = html({
    state: 'paid',
    settledText: 'Monday, May 4, 2026',
    open: false,
    provider: null,
    canBook: true,
    receipts: ['/dashboard/payments/t1.pdf'],
  });
  expect(markup).not.toContain('<form');
  expect(markup).toContain('href="/dashboard/payments/t1.pdf"');
  expect(markup).toContain('href="/schedule"');
});
