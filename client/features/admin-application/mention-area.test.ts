import { expect, test } from 'vitest';
import { suggested } from './mention-area';

const names = ['@Demo Decider', '@Demo Reviewer', '@Sample Owner'];

test('an @ suggests whom it may become', () => {
  expect(suggested('See @', names)).toEqual({ from: 4, matches: names });
  expect(suggested('See @demo r', names)).toEqual({ from: 4, matches: ['@Demo Reviewer'] });
  expect(suggested('@a@exa', ['@a@example.org'])).toEqual({ from: 0, matches: ['@a@example.org'] });
  expect(suggested('@own', names)).toEqual({ from: 0, matches: ['@Sample Owner'] });
});

test('nothing is suggested in an address, after a name or for nobody', () => {
  expect(suggested('me@demo', names)).toBeNull();
  expect(suggested('@Demo Reviewer', names)).toBeNull();
  expect(suggested('@Demo Reviewer please', names)).toBeNull();
  expect(suggested('@nobody', names)).toBeNull();
  expect(suggested('No name', names)).toBeNull();
});
