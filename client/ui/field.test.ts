import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CheckboxList, YesNo } from './field';

describe('YesNo', () => {
  it.each([
    [true, 'yes'],
    [false, 'no'],
  ])('with the answer %s has %s checked', (value, answer) => {
    const question = { label: 'Are you employed?', name: 'employed', value, onChange: () => undefined };
    const html = renderToStaticMarkup(createElement(YesNo, question));
    expect(/<input[^>]*checked=""[^>]*value="(\w+)"/.exec(html)?.[1]).toBe(answer);
  });
});

describe('CheckboxList', () => {
  it('gives its first box the id that an error summary links to', () => {
    const choices = [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ];
    const list = { label: 'Ways', name: 'ways', choices, value: ['b'], onChange: () => undefined };
    const html = renderToStaticMarkup(createElement(CheckboxList, list));
    expect(html).toMatch(/<input id="f-ways"[^>]* name="ways" value="a"/);
    expect(html).toMatch(/<input [^>]*checked="" value="b"/);
  });
});
