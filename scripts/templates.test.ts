import vm from 'node:vm';
import * as esbuild from 'esbuild';
import { Fragment, createElement as h, useId } from 'react';
import type { ReactNode } from 'react';
import { renderToString as renderByReact } from 'react-dom/server';
import { expect, test } from 'vitest';
import { bundleReactServer, bundleServer } from './bundle.mjs';
import { withTemplates } from './templates.mjs';
import { renderToString } from '../ssr/render-to-string';
import { Filled, describe as describeTemplate } from '../ssr/template';
import { pages, withCharacters } from '../ssr/testing';

const name = (page: (typeof pages)[number]) =>
  `${page.route} for ${page.shared.viewer ? 'somebody' : 'anybody'}`;

/** What a bundle renders, called as src/render does. */
async function rendererOf(bundle: Promise<Uint8Array>) {
  const context = vm.createContext({});
  vm.runInContext(Buffer.from(await bundle).toString(), context);
  // The bundle loads its screens in microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  return (json: string) => (context as { render: (json: string) => string }).render(json);
}

test.each(['en', 'es'])('every screen of the bundle in %s is what React makes of it', async (language) => {
  const [ours, react] = await Promise.all([
    rendererOf(bundleServer(language)),
    rendererOf(bundleReactServer(language)),
  ]);
  for (const page of pages) {
    const json = JSON.stringify(page);
    expect(withCharacters(ours(json)), name(page)).toBe(react(json));
  }
});

const Id = ({ children }: { children?: ReactNode }) => h('i', { id: useId() }, children);

/** What JSX evaluates to, with templates or with React alone. It may use `Id`, `word` and `none`. */
function evaluate(jsx: string, templates: boolean) {
  const source = `export const node = ${jsx};`;
  const made = templates ? withTemplates(source, { name: 'test.tsx', runtime: 'runtime' }) : source;
  const { code } = esbuild.transformSync(made, {
    loader: 'tsx',
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    format: 'cjs',
  });
  const module = { exports: {} as { node?: ReactNode } };
  const require = () => ({ Filled, describe: describeTemplate });
  const given = { module, require, h, Fragment, Id, word: '<word>', none: null };
  new Function(...Object.keys(given), code)(...Object.values(given));
  return module.exports.node;
}

test.each([
  ['text and holes', '<p>a {word} b{word}{word} c {none}d</p>'],
  ['text that was only broken', '<p>\n  one\n  two {word}\n\n  three\n</p>'],
  ['escaped text', `<p title={"'<"}>{"<&>"} {word}</p>`],
  ['attributes', '<p className="a" hidden tabIndex={-1} onClick={() => 1} id={word} lang={none}>x</p>'],
  ['empty elements', '<div><br/><hr className={word}/><p></p></div>'],
  ['fragments', '<p>a<>b{word}</>c<>{word}</></p>'],
  ['ids', '<div><Id/><p><Id>{[<Id key="1"/>, <b key="2"><Id/></b>]}</Id></p><><Id/>x</>{<Id/>}</div>'],
  ['ids of an only child', '<div><p><b><Id/></b></p></div>'],
  ['lists', '<ul>{[1, 2].map((n) => <li key={n} data-n={n}>{n}. {word}</li>)}</ul>'],
  ['conditions', '<p>{none ? <b>1</b> : <i>{word}</i>}{none && <b>2</b>}</p>'],
  ['spread attributes', '<div><p {...{ id: word }}>x<b>{word}</b></p></div>'],
  [
    'attributes behind spread ones',
    '<p lang="en" {...{ lang: word, id: word }} title="t" hidden {...none} id="a" />',
  ],
  [
    'spread attributes of components',
    '<Id key="k" {...{ children: 1 }}>a <b>{word}</b>{/* no */} {none}<><i>{word}</i></>\n</Id>',
  ],
  ['buttons', '<button name="a" disabled={true} type="submit" value={word}>b</button>'],
  ['forms', '<form action="/x" method="post" noValidate className={word}><p>x</p></form>'],
  [
    'forms with more that changes',
    '<form method="post" action={word} aria-label={`a ${word}`} lang="en">x</form>',
  ],
  [
    'selects',
    '<select defaultValue="2"><option value="1">a</option><option value="2">{word}</option></select>',
  ],
  ['svg', '<svg viewBox="0 0 8 8" aria-hidden="true"><path d={word} strokeWidth={2}/></svg>'],
  ['text in a template beside text outside', '<>a{<>b</>}<p>c</p>d{word}</>'],
])('a template is what React makes of it: %s', (_, jsx) => {
  expect(withCharacters(renderToString(evaluate(jsx, true)))).toBe(renderByReact(evaluate(jsx, false)));
});

test('what no template can hold is told with its place', () => {
  const made = (jsx: string) => withTemplates(jsx, { name: 'a.tsx', runtime: '' });
  expect(() => made('\nconst a = <p>&nbsp;</p>')).toThrow('a.tsx:2: write the character itself');
  for (const attributes of ['', ' {...b} lang="en"'])
    expect(() => made(`const a = <p${attributes}>{...c}</p>`)).toThrow('children cannot be spread');
  expect(() => describeTemplate(['p', [['style', { color: 'red' }]], []])).toThrow('style');
  expect(() => describeTemplate(['link', [], []])).toThrow('<link>');
});

test('lines keep their numbers', () => {
  const source = 'import x from "x";\n\nconst a = (\n  <p>\n    a\n  </p>\n);\nthrow 1;\n';
  expect(withTemplates(source, { name: 'a.tsx', runtime: '' }).split('\n')).toHaveLength(
    source.split('\n').length - 2,
  );
});
