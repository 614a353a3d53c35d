import { expect, test } from 'vitest';
import { roundUp } from './chart-scale';

test('an axis ends at a round number that everything is below', () => {
  const ends = [0, 1, 1.5, 3, 9, 10, 11, 49, 51, 12_000].map((most) => roundUp(most));
  expect(ends).toEqual([1, 1, 2, 5, 10, 10, 20, 50, 100, 20_000]);
});
