// Parts of ours as templates, in the server's bundle alone: a part is rendered by React once for each shape of its props, with
// marks in the places of its texts, and from then on it is its root element and a string. The browser has the part itself; that
// both come to the same HTML is asked of every screen in scripts/screens.test.ts.
import { createElement } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { SerializedStyles } from '@emotion/serialize';
import { ThemeRoot } from '../client/theme/theme-root';
import { noteUse, noting } from './styled-engine';

/** Shapes of one part that are remembered; one with more is given values where its texts should be named. */
const SHAPES = 500;

/** Around the number of a text in the HTML of a template: in no text of ours, and left alone by React. */
const MARK = '\u0001';

type Pieces = (string | number)[];

interface Shape {
  tag: string;
  /** The root's attributes, by the names of React's props. */
  attributes: [name: string, value: string | true | Pieces][];
  /** What is in the root. */
  inner: Pieces;
  /** What it needs that is in no stylesheet. */
  styles: SerializedStyles[];
}

const ESCAPES: Record<string, string> = {
  '"': '&quot;',
  "'": '&#x27;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Text as React writes it. */
export const escape = (text: string) =>
  /["'&<>]/.test(text) ? text.replace(/["'&<>]/g, (character) => ESCAPES[character] as string) : text;

const unescape = (text: string) =>
  text.replace(/&(quot|#x27|amp|lt|gt);/g, (entity) => {
    const found = Object.entries(ESCAPES).find(([, escaped]) => escaped === entity);
    return found ? found[0] : entity;
  });

/** Attributes that React writes empty when they are true. */
const FLAGS = new Set(['autofocus', 'disabled', 'hidden', 'open', 'required', 'formnovalidate']);
const NAMES: Record<string, string> = {
  class: 'className',
  for: 'htmlFor',
  autofocus: 'autoFocus',
  formaction: 'formAction',
  formnovalidate: 'formNoValidate',
  tabindex: 'tabIndex',
};

const split = (text: string): Pieces =>
  text.split(MARK).map((piece, index) => (index % 2 === 0 ? piece : Number(piece)));

function attributeOf(name: string, value: string): Shape['attributes'][number] {
  const prop = NAMES[name] ?? name;
  if (value === '' && FLAGS.has(name)) return [prop, true];
  const text = unescape(value);
  return [prop, text.includes(MARK) ? split(text) : text];
}

/** What the part is with marks for its texts; undefined where no template can be made of it. */
function shapeOf(element: ReactNode, simplified: (html: string) => string): Shape | undefined {
  const [rendered, styles] = noting(() => renderToString(<ThemeRoot>{element}</ThemeRoot>));
  const html = simplified(rendered);
  // An id of useId tells where an element stands, which is not the part's own.
  const [, tag, attributes, inner] = /^<([a-z\d]+)((?: [\w-]+="[^"]*")*)>(.*)<\/\1>$/s.exec(html) ?? [];
  if (tag === undefined || attributes === undefined || inner === undefined || html.includes('_R_'))
    return undefined;
  const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)];
  return {
    tag,
    attributes: pairs.map(([, name, value]) => attributeOf(name as string, value as string)),
    inner: split(inner),
    styles,
  };
}

type Texts = (index: number) => string;

function filled(pieces: Pieces, text: Texts): string {
  let all = '';
  for (const piece of pieces) all += typeof piece === 'number' ? text(piece) : piece;
  return all;
}

let shapesInAll = 0;

/** How many shapes are remembered, of all parts. */
export const rememberedShapes = () => shapesInAll;

export interface TemplateOptions<P> {
  /** Props that are HTML by themselves: what stands in their place when the shape is made, how that is written, and what
   * they come to. */
  raw?: {
    [K in keyof P]?: {
      placeholder: (mark: string) => P[K];
      written: (mark: string) => string;
      html: (props: P) => string;
    };
  };
}

/**
 * The same part as a template. `texts` are the props that are text, wherever they stand; all else makes another shape. A prop
 * that is an element or a list of such is left to the part itself.
 */
export function template<P extends object>(
  Part: ComponentType<P>,
  texts: (keyof P & string)[],
  { raw = {} }: TemplateOptions<P> = {},
): ComponentType<P> {
  const shapes = new Map<string, Shape | null>();
  const isText = new Set<string>(texts);
  const rawNames = Object.keys(raw) as (keyof P & string)[];

  function marked(props: P): P {
    const all = { ...props } as Record<string, unknown>;
    for (const [index, name] of texts.entries()) {
      const value = all[name];
      if (value !== undefined && value !== null && value !== '') all[name] = `${MARK}${index}${MARK}`;
    }
    for (const [index, name] of rawNames.entries()) {
      all[name] = raw[name]?.placeholder(markOf(index));
    }
    return all as P;
  }

  const markOf = (index: number) => `${MARK}${texts.length + index}${MARK}`;
  const simplified = (html: string) =>
    rawNames.reduce(
      (all, name, index) => all.replace(raw[name]?.written(markOf(index)) ?? '', markOf(index)),
      html,
    );

  return function Templated(props: P) {
    const given = props as Record<string, unknown>;
    let key = '';
    for (const name in given) {
      const value = given[name];
      if (value === undefined || typeof value === 'function' || name in raw) continue;
      // Lists of names are part of the shape.
      const isNames =
        Array.isArray(value) && !isText.has(name) && value.every((each) => typeof each === 'string');
      const isObject = typeof value === 'object' && value !== null && !isNames;
      // A textarea's first line break is written twice.
      if (isObject || (typeof value === 'string' && value.startsWith('\n'))) return <Part {...props} />;
      key +=
        isText.has(name) && value !== '' && value !== null
          ? `${name}${MARK}`
          : `${name}=${String(value)}${MARK}`;
    }
    let shape = shapes.get(key);
    if (shape === undefined) {
      if (shapes.size >= SHAPES) return <Part {...props} />;
      shape = shapeOf(<Part {...marked(props)} />, simplified) ?? null;
      shapes.set(key, shape);
      shapesInAll += 1;
    }
    if (shape === null) return <Part {...props} />;
    shape.styles.forEach(noteUse);
    const textAt: Texts = (index) => {
      const name = texts[index];
      if (name !== undefined) return String(given[name]);
      return raw[rawNames[index - texts.length] as keyof P & string]?.html(props) ?? '';
    };
    const attributes: Record<string, unknown> = {};
    for (const [name, value] of shape.attributes) {
      attributes[name] = Array.isArray(value) ? filled(value, textAt) : value;
    }
    const html = filled(shape.inner, (index) =>
      index < texts.length ? escape(textAt(index)) : textAt(index),
    );
    return createElement(shape.tag, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
  };
}
