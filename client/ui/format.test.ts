import { describe, expect, it } from 'vitest';
import { centsToText, textToCents } from './format';

describe('centsToText', () => {
  it.each([
    [0, '0'],
    [5, '0.05'],
    [99_900, '999'],
    [120_000, '1,200'],
    [120_050, '1,200.50'],
    [123_456_789, '1,234,567.89'],
    [-250_000, '-2,500'],
  ])('writes %i cents as %s', (cents, text) => {
    expect(centsToText(cents)).toBe(text);
  });
});

describe('textToCents', () => {
  it.each([
    ['0', 0],
    ['1200', 120_000],
    ['1,200.50', 120_050],
    [' $1,200.5 ', 120_050],
    ['12.', 1200],
    ['1234,567', null],
    ['12.345', null],
    ['1,20', null],
    ['-5', null],
    ['about 5', null],
    ['', null],
    ['99999999999999999999', null],
  ])('reads %j as %s', (text, cents) => {
    expect(textToCents(text)).toBe(cents);
  });

  it('reads back what centsToText wrote', () => {
    for (const cents of [0, 1, 99, 100, 101, 100_000, 999_999_999]) {
      expect(textToCents(centsToText(cents))).toBe(cents);
    }
  });
});
