import { expect, test } from 'vitest';
import { matcherOf } from './office-matcher';

test('words are found where they begin one', () => {
  expect(matcherOf('').matches('Work')).toBe(true);
  expect(matcherOf('rec int').matches('Record the interview')).toBe(true);
  expect(matcherOf('ann').matches('Finance')).toBe(false);
  expect(matcherOf('(').matches('Work')).toBe(true);
});

test('what matches is told apart from the rest', () => {
  expect(matcherOf('').split('Ada')).toEqual(['Ada']);
  expect(matcherOf('a AD').split('Ada Lane')).toEqual(['', 'Ad', 'a Lane']);
  expect(matcherOf('zoë').split('Zoë')).toEqual(['', 'Zoë', '']);
  expect(matcherOf('ada@ex').split('ada@example.org')).toEqual(['', 'ada', '@', 'ex', 'ample.org']);
});
