import { expect, test } from 'vitest';
import { internationalPhone, missingDialCode } from './phone';

test.each([
  ['US', '(202) 555-0143', '+12025550143'],
  ['DE', '030 12.34/56', '+49030123456'],
  ['DE', '+1 202 555 0143', '+12025550143'],
  // The first of three dial codes.
  ['DO', '5550143', '+18095550143'],
  ['US', '0049 30 123456', '+4930123456'],
  ['US', 'abc', '+1abc'],
  ['US', '', ''],
])('in %s, %j is %j', (country, typed, phone) => {
  expect(internationalPhone(country, typed)).toBe(phone);
});

test.each([
  ['US', '(202) 555-0143', null],
  ['US', '+1 202 555 0143', null],
  ['US', '+49 30 123456', '1'],
  ['US', '0049 30 123456', '1'],
  ['DE', '+49 30 123456', null],
  // The second of three dial codes.
  ['DO', '+1 829 555 0143', null],
  ['DO', '+49 30 123456', '1809'],
  // Still being typed.
  ['US', '+4', null],
])('in %s, %j lacks %j', (country, typed, dial) => {
  expect(missingDialCode(country, typed)).toBe(dial);
});
