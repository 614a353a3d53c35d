import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CrashScreen } from './crash-screen';

it('shows the message of the error', () => {
  const html = renderToStaticMarkup(createElement(CrashScreen, { message: 'The lights went out' }));
  expect(html).toContain('Something went wrong');
  expect(html).toContain('The lights went out');
  expect(html).toContain('Reload Application');
});

it.each([undefined, ''])('has a sentence of its own for the message %j', (message) => {
  expect(renderToStaticMarkup(createElement(CrashScreen, { message }))).toContain(
    'An unexpected error occurred',
  );
});
