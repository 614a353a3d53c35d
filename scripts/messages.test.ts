import { createElement as h, Fragment } from 'react';
import type { ReactNode } from 'react';
import * as esbuild from 'esbuild';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { isTranslated, marks, withTexts } from './messages.mjs';
import { catalogueOf, escapedSentences, languages, rustMessages } from './texts.mjs';

const nothing = () => undefined;

/** Returns the messages of a source, and unmarked texts that look like messages. */
function read(source: string) {
  const [messages, escaped]: string[][] = [[], []];
  withTexts(source, {
    name: 'test.tsx',
    translate: nothing,
    found: (message: string) => messages!.push(message),
    escaped: (text: string) => escaped!.push(text),
  });
  return { messages, escaped };
}

/** Returns what JSX renders, with or without translations. It may use `name`, `count` and `Icon`. */
function shown(jsx: string, catalogue: Record<string, string> = {}) {
  const source = `export const node = ${jsx};`;
  const translated = withTexts(source, { name: 'test.tsx', translate: (text: string) => catalogue[text] });
  const { code } = esbuild.transformSync(translated, { loader: 'tsx', jsx: 'transform', format: 'cjs' });
  const module = { exports: {} as { node?: ReactNode } };
  const React = { createElement: h, Fragment };
  const Icon = () => h('i');
  const t = () => {
    throw new Error('t is gone in a bundle');
  };
  // oxlint-disable-next-line no-new-func -- it is the test's own code
  const run = new Function('module', 'React', 'Icon', 't', 'name', 'count', code);
  run(module, React, Icon, t, 'Demo <Applicant>', 3);
  return renderToStaticMarkup(module.exports.node);
}

test.each([
  ['<p>Hello</p>', 'Hello'],
  ['<p>Hello {name}!</p>', 'Hello {name}!'],
  ['<p>\n  Write to <a href={x.href}>{x.email}</a>{" "}\n  today.\n</p>', 'Write to <1>{email}</1> today.'],
  ['<p>A {a.length} of {b.length}</p>', 'A {length} of {length2}'],
  ['<a><Icon /> Log in</a>', 'Log in'],
  ['<p>Line<br />other</p>', 'Line<1/>other'],
  ['<p>One <b>two <i>three</i></b></p>', 'One <1>two <2>three</2></1>'],
  ['<p>{count} files <b /></p>', '{count} files'],
  ['<>Text of a fragment</>', 'Text of a fragment'],
  ['<input aria-label="Your name" className="Wide one" />', 'Your name'],
  ["t('Saved')", 'Saved'],
  ['t`${done + 1} of ${all.length}`', '{done} of {length}'],
  ['t`At ${clock.join(":")}`', 'At {clock}'],
  ['<p>{isNew ? t("New") : t(" old")}</p>', 'New|old'],
])('%s is the message %s', (source, message) => {
  expect(read(source).messages).toEqual(message.split('|'));
});

test('what is no text is no message', () => {
  expect(read('<p className="card">{name} <b>{count}</b> – </p>').messages).toEqual([]);
});

test.each([
  ['<p>Hello {name}!</p>', { 'Hello {name}!': '¡Hola, {name}!' }, '<p>¡Hola, Demo &lt;Applicant&gt;!</p>'],
  [
    '<p><b>{count}</b> of <i title="All">all</i></p>',
    { '<1>{count}</1> of <2>all</2>': '<2>todos</2>: <1>{count}</1>', All: 'Todo' },
    '<p><i title="Todo">todos</i>: <b>3</b></p>',
  ],
  ['<a><Icon /> Log in</a>', { 'Log in': 'Entrar' }, '<a><i></i> Entrar</a>'],
  ['<p>Line<br />other</p>', { 'Line<1/>other': 'otra<1/>línea' }, '<p>otra<br/>línea</p>'],
  ['<b>{t`${count} `}{t("a \\"b\\"")}</b>', { 'a "b"': 'c `d` ${e} \\f' }, '<b>3 c `d` ${e} \\f</b>'],
  ['<b>{t`Of ${name}`}</b>', { 'Of {name}': '`$` \\ {name}' }, '<b>`$` \\ Demo &lt;Applicant&gt;</b>'],
  [
    '<b>{count === 1 ? t("One") : t`${count} things`}</b>',
    { '{count} things': '{count} cosas' },
    '<b>3 cosas</b>',
  ],
])('%s is told by its translation', (jsx, catalogue, html) => {
  expect(shown(jsx, catalogue as Record<string, string>)).toBe(html);
});

test.each([
  '<p>Hello {name}!</p>',
  '<p>\n  <b>{count}</b> of{" "}\n  <i title="All">all</i>\n  things\n</p>',
  '<a>\n  <Icon />\n  Log in\n</a>',
  '<><Icon /> Text <b> bold </b> {name}{" "}</>',
])('without a translation %s stays what it was', (jsx) => {
  const { code } = esbuild.transformSync(`export const node = ${jsx};`, {
    loader: 'tsx',
    jsx: 'transform',
    format: 'cjs',
  });
  const module = { exports: {} as { node?: ReactNode } };
  // oxlint-disable-next-line no-new-func -- it is the test's own code
  const run = new Function('module', 'React', 'Icon', 'name', 'count', code);
  run(module, { createElement: h, Fragment }, () => h('i'), 'Demo <Applicant>', 3);
  expect(shown(jsx)).toBe(renderToStaticMarkup(module.exports.node));
});

test('a text that nobody marked is found', () => {
  const escaped = (source: string) => read(source).escaped.length > 0;
  for (const source of [
    '<p>{isNew ? "New" : null}</p>',
    '<p>{`${count} files`}</p>',
    '<p>{isNew && "of the week"}</p>',
    'const labels = { back: "Back" };',
    'const hint = "You can stop at any time.";',
    '<Field label={`About ${name}`} />',
  ]) {
    expect(escaped(source), source).toBe(true);
  }
  for (const source of [
    '<p className={isWide ? "wide card" : "card"}>{t("New")}</p>',
    'if (event.key === "Enter") send("POST", "/api/users");',
    'throw new Error("The document has no root");',
    'import { Button } from "../ui/Button";',
    '<p>{" "}</p>',
  ]) {
    expect(escaped(source), source).toBe(false);
  }
});

test('what cannot be translated stops the build', () => {
  expect(() => read('<p>Fish &amp; chips</p>')).toThrow('write the character itself');
  expect(() => read('t(name)')).toThrow('a text that is written there');
  expect(() => marks('<1>open')).toThrow('has no end');
  expect(() => marks('closed</1>')).toThrow('ends nothing');
});

test('a translation has the names and tags of its original', () => {
  expect(marks('<1>{name}</1> {count}<2/>')).toEqual(marks('{count} <2/> <1>{name}</1>'));
  expect(marks('{name}')).not.toEqual(marks('{names}'));
});

test('sentences of Rust are read as the compiler does', () => {
  const source = [
    'text!("One {n}.", n = 1);',
    '// text!("a comment")',
    'text!(\n    "Two lines \\\n     that are one\\u{a0}and \\"quoted\\""\n)',
    '#[cfg(test)]\nmod tests { text!("a test"); }',
  ];
  const messages = rustMessages(source.join('\n')).map(({ message }: { message: string }) => message);
  expect(messages).toEqual(['One {n}.', 'Two lines that are one\u00a0and "quoted"']);
});

test('sentences of Rust that nobody marked are found', () => {
  const source = [
    'fail("state", "Choose a state.");',
    'let title = if new { "Start your application" } else { text!("Go on.") };',
    'tracing::error!("A page is gone."); list.expect("It is there.");',
    '#[error("The file is gone.")]',
    'Sentence::plain(format!("An error of {n} staff."));',
  ];
  const found = escapedSentences(source.join('\n')).map(({ text }: { text: string }) => text);
  expect(found).toEqual(['Choose a state.', 'Start your application']);
});

test('staff pages and tests are not translated', () => {
  expect(isTranslated('client/ui/layout.tsx')).toBe(true);
  for (const name of ['client/features/admin-login/login.tsx', 'client/ui/field.test.ts', 'ssr/html.ts']) {
    expect(isTranslated(name), name).toBe(false);
  }
});

test.each(languages)('the catalogue of %s is sorted and has no empty text', (language) => {
  const catalogue = catalogueOf(language) as Record<string, string>;
  expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).toSorted());
  expect(Object.values(catalogue)).not.toContain('');
});
