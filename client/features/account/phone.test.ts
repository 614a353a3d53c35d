import { expect, test } from 'vitest';
import { fullPhoneNumber } from './phone';

test.each([
  ['US', '(202) 555-0143', '+12025550143'],
  ['DE', '030 123456', '+49030123456'],
  ['DE', '+1 202 555 0143', '+12025550143'],
  ['US', '', ''],
])('in %s, %j is kept as %j', (country, typed, stored) => {
  expect(fullPhoneNumber(country, typed)).toBe(stored);
});
