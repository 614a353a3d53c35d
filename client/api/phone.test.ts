import { expect, test } from 'vitest';
import { internationalPhone } from './phone';

test.each([
  ['US', '(202) 555-0143', '+12025550143'],
  ['DE', '030 12.34/56', '+49030123456'],
  ['DE', '+1 202 555 0143', '+12025550143'],
  // The first of three dial codes.
  ['DO', '5550143', '+18095550143'],
  ['US', 'abc', '+1abc'],
  ['US', '', ''],
])('in %s, %j is %j', (country, typed, phone) => {
  expect(internationalPhone(country, typed)).toBe(phone);
});
