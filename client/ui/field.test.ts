import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CheckboxList, MoneyField, YesNo } from './field';

describe('YesNo', () => {
  const question = { legend: 'Are you employed?', name: 'employed' };
  const checked = (html: string) => /<input[^>]*checked=""[^>]*value="(\w+)"/.exec(html)?.[1];

  it.each([
    [true, 'yes'],
    [false, 'no'],
    [null, undefined],
  ])('with the answer %s has %s checked', (value, answer) => {
    expect(checked(renderToStaticMarkup(createElement(YesNo, { ...question, value })))).toBe(answer);
    expect(checked(renderToStaticMarkup(createElement(YesNo, { ...question, defaultValue: value })))).toBe(
      answer,
    );
  });
});

describe('CheckboxList', () => {
  it('gives its first box the id that an error summary links to', () => {
    const choices = [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ];
    const html = renderToStaticMarkup(
      createElement(CheckboxList, { legend: 'Ways', name: 'ways', choices, defaultValue: ['b'] }),
    );
    expect(html).toMatch(/id="f-ways" name="ways" value="a"/);
    expect(html).toMatch(/checked="" value="b"/);
  });
});

describe('MoneyField', () => {
  it('writes stored cents as dollars, unless something was typed', () => {
    const field = { label: 'Up front', name: 'upFront', cents: 120_050 };
    expect(renderToStaticMarkup(createElement(MoneyField, field))).toContain('value="1,200.50"');
    expect(renderToStaticMarkup(createElement(MoneyField, { ...field, defaultText: '12oo' }))).toContain(
      'value="12oo"',
    );
  });
});
