import { createElement as h } from 'react';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import styled, { begin, remembered } from './styled-engine';

test('styles made of a visitor’s values do not add up', () => {
  const Inner = ({ className, children }: { className?: string; children?: ReactNode }) =>
    h('p', { className }, children);
  // Wraps a component, so that its class is registered too.
  const Part = styled(Inner as never)((({ wide }: { wide: number }) => ({ width: wide })) as never) as never;
  for (let page = 0; page < 130; page += 1) {
    begin();
    const wides = Array.from({ length: 500 }, (_, index) => page * 500 + index);
    renderToString(
      h(
        'div',
        null,
        wides.map((wide) => h(Part, { key: wide, wide } as never)),
      ),
    );
  }
  begin();
  // 65,000 styles were created. Each cache is cleared at fifty thousand entries, each at its own time.
  expect(remembered()).toBeLessThan(60_000);
  // The styles of a class are still known.
  begin();
  const [first, again] = [1, 1].map((wide) => renderToString(h(Part, { wide } as never)));
  expect(first).toMatch(/^<p class="css-\w+">/);
  expect(again).toBe(first);
});
