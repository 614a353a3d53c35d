import { serialize } from 'node:v8';
import {
  Component,
  Fragment,
  StrictMode,
  Suspense,
  createContext,
  createElement as h,
  memo,
  use,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useReducer,
  useState,
  useSyncExternalStore,
  useTransition,
} from 'react';
import type { ReactNode } from 'react';
import { renderToString as renderByReact } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Page } from '../client/api/page';
import { App } from '../client/app';
import { load, routeNames } from '../client/routes';
import { Unsupported } from './attributes';
import { renderToString } from './render-to-string';
import { pages, withCharacters } from './testing';

const Word = createContext('outside');

function Id({ children }: { children?: ReactNode }) {
  const [first, second] = [useId(), useId()];
  return h('i', { id: first, title: second }, children);
}

function Hooks() {
  const word = useContext(Word);
  const [count] = useState(() => 2);
  const [sum] = useReducer(
    (a: number, b: number) => a + b,
    1,
    (n) => n * 10,
  );
  const doubled = useMemo(() => count * 2, [count]);
  const call = useCallback(() => 'called', []);
  const store = useSyncExternalStore(
    () => () => undefined,
    () => 'browser',
    () => 'server',
  );
  const [isPending] = useTransition();
  useEffect(() => {
    throw new Error('effects do not run');
  });
  return [word, count, sum, doubled, call(), store, useDeferredValue('now'), String(isPending), use(Word)];
}

const deep = (depth: number): ReactNode =>
  depth === 0 ? h(Id) : [null, h(Fragment, { key: 1 }, deep(depth - 1)), h('b', { key: 2 }, h(Id))];

const same: Record<string, ReactNode> = {
  'text beside text': h(
    'p',
    null,
    'a',
    'b',
    1,
    ['', 'c'],
    null,
    true,
    '<&>',
    h('b', null, 'd'),
    'e',
    h(Fragment, null, 'f'),
  ),
  'text in fragments': [h(Fragment, { key: 1 }, 'a'), 'b', h(StrictMode, { key: 2 }, 'c')],
  'one text, escaped': h(
    'p',
    { title: `"'&<>` },
    `"'&<> ${'long enough for a regular expression '.repeat(2)}<`,
  ),
  attributes: h('a', {
    className: 'x',
    href: '/a?b=1&c',
    tabIndex: -1,
    hidden: true,
    inert: false,
    draggable: false,
    spellCheck: true,
    'aria-hidden': true,
    'aria-label': undefined,
    'data-x': false,
    'data-y': 0,
    download: true,
    role: null,
    lang: 'en',
    onClick: () => undefined,
    suppressHydrationWarning: true,
  }),
  svg: h(
    'svg',
    { viewBox: '0 0 8 8', 'aria-hidden': 'true', focusable: 'false' },
    h('path', { d: 'M0 0', strokeWidth: 2, fillRule: 'evenodd', strokeLinecap: 'round' }),
  ),
  inputs: [
    h('input', {
      key: 1,
      type: 'text',
      name: 'a',
      defaultValue: '"x"',
      required: true,
      autoFocus: true,
      readOnly: true,
    }),
    h('input', {
      key: 2,
      value: 'v',
      type: 'radio',
      defaultChecked: true,
      name: 'b',
      onChange: () => undefined,
    }),
    h('input', {
      key: 3,
      type: 'checkbox',
      checked: false,
      value: '',
      readOnly: true,
      size: 0,
      maxLength: 3,
    }),
    h('textarea', { key: 4, defaultValue: '\nline <', rows: 4, name: 'c' }),
    h('button', { key: 5, name: '_action', value: 'save', type: 'submit', formNoValidate: true }, 'Save'),
    h(
      'form',
      { key: 6, method: 'post', action: '/auth/login', noValidate: true, className: 'f' },
      h('br'),
      h('hr'),
    ),
    h('progress', { key: 7, value: 3, max: 10 }),
  ],
  selects: [
    h('select', { key: 1, name: 's', defaultValue: 'b' }, [
      h('option', { key: 1, value: 'a' }, 'A'),
      h('optgroup', { key: 2, label: 'G' }, h('option', { value: 'b', disabled: true }, 'B')),
      h('option', { key: 3 }, 'b'),
    ]),
    h('select', { key: 2, multiple: true, defaultValue: ['x', 'y'] }, h('option', { value: 'y' }, 'Y')),
    h('select', { key: 3 }, h('option', { value: '' }, 'None')),
  ],
  hooks: h(Word, { value: 'inside' }, h(Hooks)),
  'context ends with its provider': h('p', null, h(Word, { value: 'a' }, h(Hooks)), h(Hooks)),
  memo: h(
    memo(({ word }: { word: string }) => h('b', null, word)),
    { word: 'm' },
  ),
  'preformatted text': h('pre', null, ['a\n', h('b', { key: 1 }, 'c')]),
  'one id': h(Id),
  ids: h(
    'div',
    null,
    h(Id, null, h(Id)),
    [h(Id, { key: 1 }), h('p', { key: 2 }, h(Id))],
    h(Id, null, [h(Id, { key: 1 })]),
  ),
  'ids of the thirty-third child': Array.from({ length: 40 }, (_, index) => h(Id, { key: index })),
  'ids that overflow': deep(40),
};

test.each(Object.entries(same))('%s', (_, element) => {
  expect(withCharacters(renderToString(element))).toBe(renderByReact(element));
});

test('a list of options that comes again and again', () => {
  const options = ['', 'b', '<c>'].map((value) =>
    h('option', { key: value, value, title: 'o' }, `${value}!`),
  );
  const unvalued = [h('option', { key: 1 }, 'x'), h('option', { key: 2, disabled: true }, 'y')];
  const twins = ['t', 't'].map((value, key) => h('option', { key, value }, value));
  const others = [null, h('option', { key: 2, value: 'y' }, h('b', null, 'y'))];
  const short = [options, unvalued, twins, others];
  const more = Array.from({ length: 60 }, (_, index) =>
    h('option', { key: `more ${index}` }, `More ${index}`),
  );
  const long = short.map((list) => [...list, ...more]);
  for (const defaultValue of ['b', '<c>', 'none of them', '', undefined, 'y', 't', 'More 7', ['b']]) {
    for (const list of [...short, ...long]) {
      const multiple = Array.isArray(defaultValue);
      const select = h('p', null, h('select', { defaultValue, multiple }, list), 'after');
      expect(withCharacters(renderToString(select))).toBe(renderByReact(select));
    }
  }
});

class OldStyle extends Component {
  override render() {
    return 'old';
  }
}

function Impatient() {
  const [count, setCount] = useState(0);
  if (count === 0) setCount(1);
  return count;
}

test.each<[string, ReactNode]>([
  ['Suspense', h(Suspense, null, 'x')],
  ['class components', h(OldStyle)],
  ['style', h('p', { style: { color: 'red' } })],
  ['raw HTML', h('p', { dangerouslySetInnerHTML: { __html: '<b>' } })],
  ['resources', h('link', { rel: 'stylesheet', href: '/x.css', precedence: 'high' })],
  ['titles', h('title', null, 'x')],
  ['images', h('img', { src: '/x.png', alt: '' })],
  ['updates while rendering', h(Impatient)],
  ['form actions', h('form', { action: () => undefined })],
  ['scripts as addresses', h('a', { href: 'javascript:alert(1)' })],
  ['names with signs', h('p', { 'x:y': '1' })],
])('refuses %s', (_, element) => {
  expect(() => renderToString(h('div', null, element))).toThrow(Unsupported);
});

test('characters that need two bytes are references', () => {
  const long = 'long enough for a regular expression '.repeat(2);
  for (const text of ['Zoë’s 😀', `${long}’😀`, '’', '😀<']) {
    const element = h('p', { title: text }, text);
    const html = renderToString(element);
    expect(html).toMatch(/^[\0-\xff]*$/);
    expect(withCharacters(html)).toBe(renderByReact(element));
  }
  expect(renderToString(h('p', null, 'a\ud800b\udc00'))).toBe('<p>a&#65533;b&#65533;</p>');
});

test('what a component throws is thrown, and nothing of it is left', () => {
  const Failing = (): ReactNode => {
    throw new Error('no');
  };
  expect(() => renderToString(h(Word, { value: 'inside' }, 'text', h(Failing)))).toThrow('no');
  expect(renderToString(h(Hooks))).toBe(renderByReact(h(Hooks)));
});

beforeAll(() => Promise.all(routeNames.map(load)));

test.each(
  pages.map((page) => [`${page.route} for ${page.shared.viewer ? 'somebody' : 'anybody'}`, page] as const),
)('%s', (_, page) => {
  const warn = vi.spyOn(console, 'error');
  const app = h(App, { page });
  const html = renderToString(h(App, { page: JSON.parse(JSON.stringify(page)) as Page }));
  expect(withCharacters(html)).toBe(renderByReact(app));
  expect(warn).not.toHaveBeenCalled();
  // What V8 keeps at one byte a character it writes down so: as Latin-1, behind this sign.
  // Paragraphs of a letter are pieces of one text, and as wide as all of it.
  if (!['letter', 'adminDecision', 'adminBulk'].includes(page.route))
    expect(serialize(html)[2]).toBe('"'.charCodeAt(0));
});
