// Attributes and text as React writes them.
import { aliases, booleanAttributes, booleanishAttributes, positiveAttributes } from './html';

export type Props = Record<string, unknown>;

/** Thrown at what this renderer does not know; what it does know is told in render-to-string.ts. */
export class Unsupported extends Error {
  override name = 'Unsupported';
}

export function unsupported(what: string): never {
  throw new Unsupported(what);
}

export function attributes(props: Props): string {
  let written = '';
  for (const name in props) written += attribute(name, props[name]);
  return written;
}

const enum Kind {
  /** No attribute: children, what the browser alone does. */
  None,
  Text,
  /** Text, and `true` and `false` as words. */
  TextOrBoolean,
  Present,
  Url,
  Positive,
  /** `true` is present, `false` absent, the rest text. */
  TextOrPresent,
}

/** What is known of an attribute's name. */
export interface Attribute {
  name: string;
  kind: Kind;
  /** ` name="` */
  start: string;
}

/** By the prop's name; found out once. */
const known = new Map<string, Attribute>();

function describe(name: string): Attribute {
  const start = ` ${aliases[name] ?? name}="`;
  const kind = kindOf(name);
  const described = { name, kind, start };
  known.set(name, described);
  return described;
}

function kindOf(name: string): Kind {
  switch (name) {
    case 'children':
    case 'ref':
    case 'defaultValue':
    case 'defaultChecked':
    case 'suppressHydrationWarning':
    case 'suppressContentEditableWarning':
      return Kind.None;
    case 'style':
    case 'dangerouslySetInnerHTML':
    case 'innerHTML':
    case 'is':
      return unsupported(`the attribute ${name}`);
    case 'href':
    case 'src':
    case 'action':
    case 'formAction':
      return Kind.Url;
    case 'download':
    case 'capture':
      return Kind.TextOrPresent;
  }
  if (/^on./i.test(name)) return Kind.None;
  if (name.startsWith('aria-') || name.startsWith('data-') || booleanishAttributes.has(name))
    return Kind.TextOrBoolean;
  if (booleanAttributes.has(name)) return Kind.Present;
  if (positiveAttributes.has(name)) return Kind.Positive;
  // Names with signs in them, and those that React writes in another way, are few.
  return /^([a-zA-Z]+|[xy][12])$/.test(name) && !name.startsWith('xlink') && !name.startsWith('xml')
    ? Kind.Text
    : unsupported(`the attribute ${name}`);
}

/** Finds out what is to be known of a name. */
export function named(name: string): Attribute {
  return known.get(name) ?? describe(name);
}

/** ` name="value"`, or nothing. */
export function attribute(name: string, value: unknown): string {
  return value === undefined || value === null ? '' : attributeOf(named(name), value);
}

/** The same of a name that was looked up before. */
export function attributeOf({ name, kind, start }: Attribute, value: unknown): string {
  if (value === undefined || value === null || kind === Kind.None) return '';
  if (typeof value === 'string') {
    if (kind === Kind.Text || kind === Kind.TextOrBoolean || kind === Kind.TextOrPresent)
      return start + escape(value) + '"';
    if (kind === Kind.Url) return url(name, start, value);
  }
  return otherAttribute(name, kind, start, value);
}

/** Whether it is a path that begins with a small letter other than that of `javascript:`, as nearly all of ours do. */
function isPath(value: string): boolean {
  const letter = value.charCodeAt(1);
  return value.charCodeAt(0) === 47 && letter >= 97 && letter <= 122 && letter !== 106;
}

function url(name: string, start: string, value: string): string {
  if (value === '') return name === 'href' ? unsupported('an empty href') : name === 'src' ? '' : start + '"';
  if (isPath(value)) return start + escape(value) + '"';
  // React replaces `javascript:`, however it is spelt, with an address that throws.
  if (/^\W*j\s*a\s*v\s*a\s*s/i.test(value)) unsupported('a script as an address');
  return start + escape(value) + '"';
}

function otherAttribute(name: string, kind: Kind, start: string, value: unknown): string {
  const type = typeof value;
  if (type === 'function' && kind === Kind.Url) unsupported(`a function as ${name}`);
  if (type === 'function' || type === 'symbol') return '';
  switch (kind) {
    case Kind.Present:
      return value ? start + '"' : '';
    case Kind.Positive:
      return Number(value) >= 1 ? start + escape(String(value)) + '"' : '';
    case Kind.TextOrPresent:
      return value === true ? start + '"' : value === false ? '' : start + escape(String(value)) + '"';
    case Kind.TextOrBoolean:
      return start + escape(String(value)) + '"';
    default:
      return type === 'boolean' ? '' : start + escape(String(value)) + '"';
  }
}

/** What is written as a reference: signs of HTML, and what would make V8 keep the whole page at two bytes a character. */
const SPECIAL = /["'&<>\u0100-\uffff]/;
/** Up to this length a loop finds out sooner than a regular expression. */
const SHORT = 40;

export function escape(text: string): string {
  const { length } = text;
  if (length > SHORT) {
    const first = text.search(SPECIAL);
    return first === -1 ? text : escapeFrom(text, first);
  }
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (
      code > 255 ||
      (code <= 62 && (code === 34 || code === 38 || code === 39 || code >= 60) && code !== 61)
    ) {
      return escapeFrom(text, index);
    }
  }
  return text;
}

function escapeFrom(text: string, first: number): string {
  let escaped = '';
  let done = 0;
  for (let index = first; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 255) return escapeWide(text);
    const entity = references[code];
    if (entity === undefined) continue;
    escaped += text.slice(done, index) + entity;
    done = index + 1;
  }
  return escaped + text.slice(done);
}

const references: Record<number, string | undefined> = {
  34: '&quot;',
  38: '&amp;',
  39: '&#x27;',
  60: '&lt;',
  62: '&gt;',
};

/**
 * The same for a text with characters that V8 keeps at two bytes. It keeps every piece of such a text so, and then
 * all that the piece is put into; what is made of numbers it keeps as small as they are.
 */
function escapeWide(text: string): string {
  let escaped = '';
  let codes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    // Half of a pair is no character, and no reference may name it.
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    const reference = code > 255 ? (isHalf ? '&#65533;' : `&#${code};`) : references[code];
    if (reference === undefined) codes.push(code);
    else for (let index = 0; index < reference.length; index++) codes.push(reference.charCodeAt(index));
    if (codes.length > 2000) {
      escaped += String.fromCharCode(...codes);
      codes = [];
    }
  }
  return escaped + String.fromCharCode(...codes);
}
