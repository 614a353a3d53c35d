// Components as templates, only in the server's bundle: React renders a component once for each shape of its props,
// with markers in place of its texts; from then on it is its root element and a string. The browser uses the component
// itself. scripts/emotion.test.ts checks for every screen that both produce the same HTML.
import { createElement } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { SerializedStyles } from '@emotion/serialize';
import { ThemeRoot } from '../client/theme/theme-root';
import { noteUse, noting } from './styled-engine';

/**
 * Maximum number of shapes per component. A component that exceeds it receives values where its texts should be listed.
 */
const SHAPES = 500;

/** Delimits the number of a text in a template's HTML: occurs in none of our texts, and React leaves it alone. */
const MARK = '\u0001';

type Pieces = (string | number)[];

interface Shape {
  tag: string;
  /** The root's attributes, by React prop name. */
  attributes: [name: string, value: string | true | Pieces][];
  /** The content of the root. */
  inner: Pieces;
  /** Styles it needs that are in no stylesheet. */
  styles: SerializedStyles[];
}

const ESCAPES: Record<string, string> = {
  '"': '&quot;',
  "'": '&#x27;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Escapes text as React does. */
export const escape = (text: string) =>
  /["'&<>]/.test(text) ? text.replace(/["'&<>]/g, (character) => ESCAPES[character] as string) : text;

const unescape = (text: string) =>
  text.replace(/&(quot|#x27|amp|lt|gt);/g, (entity) => {
    const found = Object.entries(ESCAPES).find(([, escaped]) => escaped === entity);
    return found ? found[0] : entity;
  });

/** Attributes that React writes empty if they are true. */
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

/** Returns the component's shape with markers for its texts; undefined if it cannot be a template. */
function shapeOf(element: ReactNode, simplified: (html: string) => string): Shape | undefined {
  const [rendered, styles] = noting(() => renderToString(<ThemeRoot>{element}</ThemeRoot>));
  const html = simplified(rendered);
  // An id from useId depends on the element's position, which is not part of the component.
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

/** Returns the number of cached shapes, across all components. */
export const rememberedShapes = () => shapesInAll;

export interface TemplateOptions<P> {
  /**
   * Props that are HTML themselves: the placeholder used when creating the shape, how that is rendered, and the actual
   * HTML.
   */
  raw?: {
    [K in keyof P]?: {
      placeholder: (mark: string) => P[K];
      written: (mark: string) => string;
      html: (props: P) => string;
    };
  };
}

/**
 * Turns a component into a template. `texts` are the props that are text, wherever they appear; all others make another
 * shape. Props that are elements or lists of elements are left to the component itself.
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
      // React doubles a textarea's first line break.
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
