// Replaces `@mui/styled-engine` in the server's bundle, the seam that Material UI provides for this: emotion's class
// names without its work for every element. Emotion concatenates the styles of an element and hashes them each time;
// here the resolved style objects are walked down a trie by identity, which is stable because there is one theme, and
// the serialised styles are at its end. In the browser emotion itself does the same: scripts/emotion.test.ts compares
// the two.
import { serializeStyles as serialize } from '@emotion/serialize';
import type { Interpolation, SerializedStyles } from '@emotion/serialize';
import { ThemeContext, css, keyframes } from '@emotion/react';
import isPropValid from '@emotion/is-prop-valid';
import { Fragment, createElement, useContext } from 'react';
import type { ElementType, ReactNode } from 'react';

export { ThemeContext, css, keyframes };

/** Emotion's name for a cache, and the prefix of its classes. */
const KEY = 'css';
/**
 * Maximum number of cached steps. Our screens need a tenth of it: more would be styles made from a visitor's values.
 */
const LIMIT = 50_000;

type Part = Interpolation<unknown>;
type Props = Record<string, unknown>;

/** A step from one resolved style to the next; the last one holds their combined styles. */
class Step {
  next = new Map<unknown, Step>();
  styles: SerializedStyles | undefined;
}

let trie = new Step();
let steps = 0;
let here = trie;
/** Distinct from every style. */
const LIST = Symbol('list');

function step(to: unknown) {
  let next = here.next.get(to);
  if (!next) {
    next = new Step();
    steps += 1;
    here.next.set(to, next);
  }
  here = next;
}

/** Calls functions and takes a step for the result. */
function resolve(part: Part, props: unknown): Part {
  if (part === null || part === undefined || typeof part === 'boolean') {
    step(null);
    return null;
  }
  if (typeof part === 'function') {
    if ((part as { __emotion_styles?: unknown }).__emotion_styles !== undefined) {
      step(part);
      return part;
    }
    // Styles may be serialised in between: continue from the current step.
    const from = here;
    const made = (part as (props: unknown) => Part)(props);
    here = from;
    return resolve(made, props);
  }
  if (Array.isArray(part)) {
    step(LIST);
    step(part.length);
    return part.map((each: Part) => resolve(each, props));
  }
  if (typeof part !== 'object' || 'styles' in part || 'anim' in part) step(part);
  else step(textOf(part, props));
  return part;
}

/** Texts of style objects that come from the theme or a module and are therefore stable. */
const texts = new WeakMap<object, string>();

/**
 * Returns the text of a style object. Used as its key, so that objects created anew for every element do not grow the
 * trie.
 */
function textOf(part: object, props: unknown): string {
  let text = texts.get(part);
  if (text === undefined) {
    const from = here;
    text = serialize([part as never], undefined, props).styles;
    here = from;
    texts.set(part, text);
  }
  return text;
}

function serialized(parts: Part[], props: unknown): SerializedStyles {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object' && first !== null && 'styles' in first) {
    return first as SerializedStyles;
  }
  if (typeof first === 'object' && first !== null && 'raw' in first)
    return serialize(parts as never, undefined, props);
  if (steps > LIMIT) {
    trie = new Step();
    steps = 0;
  }
  here = trie;
  const resolved = parts.map((part) => resolve(part, props));
  const end = here;
  end.styles ??= serialize(resolved as never, undefined, props);
  return end.styles;
}

/** The styles of every class by name, as in emotion's cache: a class given to a component is merged into its own. */
const registered = new Map<string, string>();

interface GivenClasses {
  /** Classes that are not our styles, with a space after each. */
  raw: string;
  styles: string[];
}

const givenClasses = new Map<string, GivenClasses>();

function split(className: string): GivenClasses {
  const known = givenClasses.get(className);
  if (known) return known;
  const given: GivenClasses = { raw: '', styles: [] };
  for (const name of className.split(' ')) {
    const styles = registered.get(name);
    if (styles !== undefined) given.styles.push(`${styles};`);
    else if (name) given.raw += `${name} `;
  }
  if (givenClasses.size >= LIMIT) givenClasses.clear();
  givenClasses.set(className, given);
  return given;
}

type Forward = (prop: string) => boolean;

interface StyledOptions {
  shouldForwardProp?: Forward;
}

interface StyledComponent {
  (props: Props): ReactNode;
  __emotion_real: StyledComponent;
  __emotion_base: ElementType;
  __emotion_styles: Part[];
  __emotion_forwardProp: Forward | undefined;
  defaultProps?: unknown;
}

const isComponentProp: Forward = (prop) => prop !== 'theme';
/** Decides which props reach an element: attributes; a component gets all. */
const forwardTo = (tag: unknown): Forward =>
  typeof tag === 'string' && tag.charCodeAt(0) > 96 ? isPropValid : isComponentProp;

export default function styled(tag: ElementType & Partial<StyledComponent>, options: StyledOptions = {}) {
  const isStyled = (tag.__emotion_real as unknown) === tag;
  const base = (isStyled && tag.__emotion_base) || tag;
  const [own, inner] = [options.shouldForwardProp, tag.__emotion_forwardProp];
  const chosen: Forward | undefined =
    own && inner ? (prop) => inner(prop) && own(prop) : (own ?? (isStyled ? inner : undefined));
  const forward = chosen ?? forwardTo(base);
  const takesAs = !forward('as');
  const forwarded = new Map<string, boolean>();
  const isForwarded = (prop: string) => {
    let is = forwarded.get(prop);
    if (is === undefined) {
      is = forward(prop) && !(takesAs && prop === 'as');
      forwarded.set(prop, is);
    }
    return is;
  };

  return (...args: Part[]) => {
    const styles: Part[] = isStyled ? (tag.__emotion_styles ?? []).slice() : [];
    const [first] = args as [{ raw?: unknown } & Part[]];
    if (first?.raw === undefined) styles.push(...args);
    else args.forEach((arg, index) => (index === 0 ? styles.push(first[0]) : styles.push(arg, first[index])));

    function Styled(props: Props) {
      const Final = ((takesAs && props['as']) || base) as ElementType;
      const theme = useContext(ThemeContext);
      const merged = props['theme'] == null ? { ...props, theme } : props;
      let className = '';
      let all = Styled.__emotion_styles;
      if (typeof props['className'] === 'string') {
        const given = split(props['className']);
        className = given.raw;
        if (given.styles.length > 0) all = all.concat(given.styles);
      } else if (props['className'] != null) {
        className = `${String(props['className'])} `;
      }
      const made = serialized(all, merged);
      const name = `${KEY}-${made.name}`;
      if (typeof Final !== 'string' && !registered.has(name)) {
        registered.set(name, made.styles);
        givenClasses.clear();
      }
      noteUse(made);
      const next: Props = {};
      if (takesAs && chosen === undefined && Final !== base) {
        const reaches = forwardTo(Final);
        for (const prop in props) if (prop !== 'as' && reaches(prop)) next[prop] = props[prop];
      } else {
        for (const prop in props) if (isForwarded(prop)) next[prop] = props[prop];
      }
      next['className'] = className + name;
      // Emotion has its insertion next to the element, and ids of useId count that level.
      return createElement(Fragment, null, null, createElement(Final, next));
    }
    const component = Styled as unknown as StyledComponent;
    Styled.__emotion_real = component;
    Styled.__emotion_base = base;
    Styled.__emotion_styles = styles;
    Styled.__emotion_forwardProp = chosen;
    Styled.defaultProps = tag.defaultProps;
    return component;
  };
}

export function internal_mutateStyles(tag: StyledComponent, change: (styles: Part[]) => Part[]) {
  if (Array.isArray(tag.__emotion_styles)) tag.__emotion_styles = change(tag.__emotion_styles);
}

export function internal_serializeStyles(styles: Part): SerializedStyles {
  return serialize([styles as never]);
}

/** Global styles are in the stylesheet. */
export function GlobalStyles() {
  return null;
}

export function StyledEngineProvider({ children }: { children: ReactNode }) {
  return children;
}

/** Classes in the stylesheets of every document; other styles that a render needs are sent with its document. */
let inStylesheets: ReadonlySet<string> = new Set();
let missing: SerializedStyles[] = [];

/** Records that a render needs some styles. */
export function noteUse(styles: SerializedStyles) {
  if (!inStylesheets.has(styles.name) && !missing.includes(styles)) missing.push(styles);
}

/** Sets the classes that are in the stylesheets. */
export function know(names: Iterable<string>) {
  inStylesheets = new Set(names);
}

/** Starts a page. Discards what is left of a page that threw. Class caches may only be cleared between two pages. */
export function begin() {
  missing = [];
  if (registered.size <= LIMIT) return;
  registered.clear();
  givenClasses.clear();
}

/** Returns the styles used since the last call that are in no stylesheet. */
export function takeMissing(): SerializedStyles[] {
  const taken = missing;
  if (taken.length > 0) missing = [];
  return taken;
}

/** Returns the result of a render and the styles it used that are in no stylesheet. */
export function noting<T>(render: () => T): [T, SerializedStyles[]] {
  const outer = missing;
  missing = [];
  try {
    const made = render();
    return [made, missing];
  } finally {
    missing = outer;
  }
}

/** Returns the total number of cache entries. */
export function remembered(): number {
  return steps + registered.size + givenClasses.size;
}
