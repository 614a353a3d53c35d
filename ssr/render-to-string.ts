// Renders React elements to the HTML that react-dom/server's renderToString makes of them, byte for byte, in about
// two thirds of the time: straight into one string, without the tasks, segments and chunks that React keeps to be
// able to suspend and stream.
//
// It knows what the screens use: function components, hooks, memo, context, fragments, arrays, plain HTML and SVG
// elements, and templates, which scripts/templates.mjs makes of JSX. Whatever else it meets (Suspense, class components,
// `style`, resources that React hoists) is an error. render-to-string.test.ts holds it to React's output, and to
// knowing all of our screens.
/* oxlint-disable no-underscore-dangle -- React's own names */
import * as React from 'react';
import { attribute, attributeOf, attributes, escape, unsupported } from './attributes';
import type { Props } from './attributes';
import { plainTags, voidTags } from './html';
import { TEMPLATE } from './template';
import type { Filled, Piece } from './template';

/** What every context keeps for renderers other than react-dom's own. */
interface Context {
  $$typeof: symbol;
  _currentValue2: unknown;
}

interface Element {
  $$typeof: symbol;
  type: unknown;
  props: Props;
}

/** The part of React that renderers fill in; see `ReactSharedInternals` there. */
interface Internals {
  /** The hooks of the component being rendered. */
  H: unknown;
}

const internals = (React as unknown as Record<string, Internals | undefined>)[
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
];

const ELEMENT = Symbol.for('react.transitional.element');
const FRAGMENT = Symbol.for('react.fragment');
const STRICT_MODE = Symbol.for('react.strict_mode');
const MEMO = Symbol.for('react.memo');
const CONTEXT = Symbol.for('react.context');

// One render at a time, and none of it waits, so that its state can live here.
/** What is written. In an object that is new with every render: the engine notes each change of an old one for its collector. */
let out = { html: '' };
/** Whether the last thing written was text, which a comment then keeps apart from more text. */
let endsInText = false;
/** The value of the innermost select. */
let selected: unknown = null;
/** The position in the tree that `useId` writes, as React encodes it: bits below a leading 1, and what overflowed. */
let treeId = 1;
let treeOverflow = '';
/** How often the component being rendered has called `useId`. */
let ids = 0;

function useId(): string {
  const position = (treeId & ~(1 << (31 - Math.clz32(treeId)))).toString(32) + treeOverflow;
  const nth = ids++;
  return nth === 0 ? `_R_${position}_` : `_R_${position}H${nth.toString(32)}_`;
}

const nothing = () => undefined;
/** State never changes here: effects do not run, and a component that sets it while rendering is React's. */
const setState = () => unsupported('an update while rendering');

function readContext(context: Context) {
  return context._currentValue2;
}

const hooks = {
  readContext,
  use: (usable: Context) => (usable.$$typeof === CONTEXT ? readContext(usable) : unsupported('a promise')),
  useContext: readContext,
  useMemo: (create: () => unknown) => create(),
  useCallback: (callback: unknown) => callback,
  useRef: (current: unknown) => ({ current }),
  useState: (initial: unknown) => [typeof initial === 'function' ? initial() : initial, setState],
  useReducer: (_reducer: unknown, argument: unknown, initialise?: (argument: unknown) => unknown) => [
    initialise ? initialise(argument) : argument,
    setState,
  ],
  useEffect: nothing,
  useLayoutEffect: nothing,
  useInsertionEffect: nothing,
  useImperativeHandle: nothing,
  useDebugValue: nothing,
  useDeferredValue: (value: unknown, initial?: unknown) => (initial === undefined ? value : initial),
  useTransition: () => [false, setState],
  useId,
  useSyncExternalStore: (_subscribe: unknown, _get: unknown, getOnServer?: () => unknown) =>
    getOnServer ? getOnServer() : unsupported('a store without a server snapshot'),
  useOptimistic: (value: unknown) => [value, setState],
  useActionState: () => unsupported('useActionState'),
  useFormState: () => unsupported('useFormState'),
  useHostTransitionStatus: () => unsupported('useFormStatus'),
  useMemoCache: () => unsupported('useMemoCache'),
  useCacheRefresh: () => unsupported('useCacheRefresh'),
  useEffectEvent: () => setState,
};

/** The HTML of an element. Throws what a component throws, and [`Unsupported`] at what it does not know. */
export function renderToString(element: unknown): string {
  if (!internals) return unsupported('this version of React');
  const outerHooks = internals.H;
  internals.H = hooks;
  out = { html: '' };
  endsInText = false;
  selected = null;
  treeId = 1;
  treeOverflow = '';
  try {
    renderNode(element);
    return out.html;
  } finally {
    internals.H = outerHooks;
    out = { html: '' };
  }
}

function renderNode(node: unknown): void {
  switch (typeof node) {
    case 'string':
      renderText(node);
      return;
    case 'number':
      renderText(String(node));
      return;
    case 'object':
      if (node === null) return;
      if (Array.isArray(node)) renderChildren(node);
      else if ((node as Filled).$$typeof === TEMPLATE) renderTemplate(node as Filled);
      else if ((node as Element).$$typeof === ELEMENT)
        renderElement((node as Element).type, (node as Element).props);
      else unsupported('a child that is no element');
      return;
    case 'undefined':
    case 'boolean':
      return;
    default:
      unsupported(`a child of type ${typeof node}`);
  }
}

function renderText(text: string) {
  if (text === '') return;
  out.html += endsInText ? '<!-- -->' + escape(text) : escape(text);
  endsInText = true;
}

function renderChildren(children: unknown[]) {
  const { length } = children;
  const outerId = treeId;
  const outerOverflow = treeOverflow;
  for (let index = 0; index < length; index++) {
    const child = children[index];
    // Only elements and arrays can have ids below them.
    if (typeof child === 'object' && child !== null) {
      treeId = outerId;
      treeOverflow = outerOverflow;
      descend(length, index);
    }
    renderNode(child);
  }
  treeId = outerId;
  treeOverflow = outerOverflow;
}

/** Moves the tree position to one of several children: React's `pushTreeContext`. */
function descend(siblings: number, index: number) {
  const bits = 31 - Math.clz32(treeId);
  const base = treeId & ~(1 << bits);
  const more = 32 - Math.clz32(siblings);
  if (more + bits <= 30) {
    treeId = (1 << (more + bits)) | ((index + 1) << bits) | base;
    return;
  }
  // Whole digits of base 32 overflow into the string.
  const overflowing = bits - (bits % 5);
  const rest = bits - overflowing;
  treeOverflow = (base & ((1 << overflowing) - 1)).toString(32) + treeOverflow;
  treeId = (1 << (more + rest)) | ((index + 1) << rest) | (base >> overflowing);
}

/** Writes the pieces of a template, and between them what its holes are filled with. */
function renderTemplate({ template, values }: Filled) {
  const { pieces, holes } = template;
  const outerId = treeId;
  const outerOverflow = treeOverflow;
  let index = 0;
  for (; index < holes.length; index++) {
    const hole = holes[index]!;
    writePiece(pieces[index]!);
    const value = values[index];
    if (!Array.isArray(hole)) {
      out.html += attributeOf(hole, value);
    } else if (typeof value === 'string') {
      renderText(value);
    } else if (value !== null && typeof value === 'object') {
      for (let level = 0; level < hole.length; level += 2) descend(hole[level]!, hole[level + 1]!);
      renderNode(value);
      treeId = outerId;
      treeOverflow = outerOverflow;
    } else {
      renderNode(value);
    }
  }
  writePiece(pieces[index]!);
}

function writePiece({ html: piece, startsWithText, endsWithText }: Piece) {
  if (piece === '') return;
  out.html += startsWithText && endsInText ? '<!-- -->' + piece : piece;
  endsInText = endsWithText;
}

function renderElement(type: unknown, props: Props): void {
  if (typeof type === 'string') {
    renderTag(type, props);
  } else if (typeof type === 'function') {
    renderComponent(type as Component, props);
  } else if (type === FRAGMENT || type === STRICT_MODE) {
    renderNode(props.children);
  } else {
    renderSpecial(type as { $$typeof?: symbol } | null, props);
  }
}

type Component = ((props: Props) => unknown) & { prototype?: { isReactComponent?: unknown } };

function renderComponent(component: Component, props: Props) {
  if (component.prototype?.isReactComponent) unsupported('a class component');
  ids = 0;
  const node = component(props);
  if (ids === 0) {
    renderNode(node);
    return;
  }
  const outerId = treeId;
  const outerOverflow = treeOverflow;
  descend(1, 0);
  renderNode(node);
  treeId = outerId;
  treeOverflow = outerOverflow;
}

function renderSpecial(type: { $$typeof?: symbol } | null, props: Props) {
  switch (type?.$$typeof) {
    case MEMO:
      renderElement((type as { type?: unknown }).type, props);
      return;
    case CONTEXT: {
      const context = type as Context;
      const outer = context._currentValue2;
      context._currentValue2 = props.value;
      try {
        renderNode(props.children);
      } finally {
        context._currentValue2 = outer;
      }
      return;
    }
    default:
      unsupported(`an element of type ${String(type?.$$typeof ?? type)}`);
  }
}

function renderTag(tag: string, props: Props) {
  switch (tag) {
    case 'input':
      renderInput(props);
      break;
    case 'select': {
      const outer = selected;
      selected = props.value ?? props.defaultValue ?? null;
      renderSelect(props);
      selected = outer;
      break;
    }
    case 'option':
      renderOption(props);
      break;
    case 'textarea':
      renderTextarea(props);
      break;
    case 'pre':
      // A parser drops the first newline, so React writes two.
      if (typeof props.children === 'string') unsupported('preformatted text');
      renderPlainTag(tag, props);
      break;
    case 'button':
      renderSubmitter(tag, props, buttonLast);
      break;
    case 'form':
      renderSubmitter(tag, props, formLast);
      break;
    default:
      if (voidTags.has(tag)) out.html += `<${tag}${attributes(props)}/>`;
      else if (plainTags.has(tag)) renderPlainTag(tag, props);
      else unsupported(`<${tag}>`);
  }
  endsInText = false;
}

function renderPlainTag(tag: string, props: Props) {
  out.html += '<' + tag + attributes(props) + '>';
  renderContent(tag, props.children);
}

function renderContent(tag: string, children: unknown) {
  endsInText = false;
  if (typeof children === 'string') out.html += escape(children);
  else renderNode(children);
  out.html += '</' + tag + '>';
}

/** What a form is submitted with, which React writes last and in this order. */
const buttonLast = new Set(['name', 'formAction', 'formEncType', 'formMethod', 'formTarget']);
const formLast = new Set(['action', 'encType', 'method', 'target']);

function renderSubmitter(tag: string, props: Props, last: Set<string>) {
  let written = '';
  let hasLast = false;
  for (const name in props) {
    if (last.has(name)) hasLast = true;
    else written += attribute(name, props[name]);
  }
  if (hasLast) for (const name of last) written += attribute(name, props[name]);
  out.html += '<' + tag + written + '>';
  renderContent(tag, props.children);
}

function renderInput(props: Props) {
  let written = '';
  for (const name in props) {
    switch (name) {
      case 'name':
      case 'checked':
      case 'defaultChecked':
      case 'value':
      case 'defaultValue':
        break;
      case 'formAction':
      case 'formEncType':
      case 'formMethod':
      case 'formTarget':
      case 'children':
        if (props[name] != null) unsupported(`<input ${name}>`);
        break;
      default:
        written += attribute(name, props[name]);
    }
  }
  written += attribute('name', props.name);
  const checked = props.checked ?? props.defaultChecked;
  if (checked && typeof checked !== 'function' && typeof checked !== 'symbol') written += ' checked=""';
  out.html += '<input' + written + attribute('value', props.value ?? props.defaultValue) + '/>';
}

function renderSelect(props: Props) {
  const { children } = props;
  let written = '<select';
  for (const name in props) {
    if (name !== 'value' && name !== 'defaultValue') written += attribute(name, props[name]);
  }
  out.html += written + '>';
  const list = Array.isArray(children) && selected !== null && !Array.isArray(selected) && listOf(children);
  if (list) {
    const at = list.selectable.get(String(selected));
    out.html += at === undefined ? list.html : `${list.html.slice(0, at)} selected=""${list.html.slice(at)}`;
    out.html += '</select>';
  } else {
    renderContent('select', children);
  }
}

/** Options as they are written when none is selected. */
interface OptionList {
  html: string;
  /** Where the attribute that selects an option belongs, by the option's value. */
  selectable: Map<string, number>;
}

/** Shorter lists are sooner written than looked up. */
const LONG = 50;

/** Options of a long list that is the same in every render, such as that of all countries. Null: seen once. */
const lists = new WeakMap<unknown[], OptionList | null | false>();

function listOf(children: unknown[]): OptionList | false {
  if (children.length < LONG) return false;
  let list = lists.get(children);
  if (list === undefined) lists.set(children, null);
  else if (list === null) lists.set(children, (list = makeList(children)));
  return list ?? false;
}

function makeList(children: unknown[]): OptionList | false {
  const selectable = new Map<string, number>();
  let written = '';
  for (const child of children as (Element | null)[]) {
    const content = child?.props?.children;
    if (child?.$$typeof !== ELEMENT || child.type !== 'option' || typeof content !== 'string') return false;
    written += optionStart(child.props);
    selectable.set(String(child.props.value ?? content), written.length);
    written += '>' + escape(content) + '</option>';
  }
  // Of options with the same value, each would be selected.
  return selectable.size === children.length && { html: written, selectable };
}

function renderOption(props: Props) {
  const { children, value } = props;
  out.html += optionStart(props);
  if (selected === null ? props.selected : isSelected(value ?? children)) out.html += ' selected=""';
  out.html += '>';
  renderContent('option', children);
}

function optionStart(props: Props): string {
  let written = '<option';
  for (const name in props) {
    if (name !== 'selected') written += attribute(name, props[name]);
  }
  return written;
}

function isSelected(value: unknown): boolean {
  if (typeof value === 'object') unsupported('an option without a plain value');
  const text = String(value);
  if (!Array.isArray(selected)) return String(selected) === text;
  return selected.some((each) => String(each) === text);
}

function renderTextarea(props: Props) {
  let written = '<textarea';
  for (const name in props) {
    if (name === 'children') unsupported('a textarea with children');
    if (name !== 'value' && name !== 'defaultValue') written += attribute(name, props[name]);
  }
  const value = props.value ?? props.defaultValue;
  const text = value == null ? '' : String(value);
  // A parser drops the first newline.
  out.html +=
    written + (typeof value === 'string' && text[0] === '\n' ? '>\n' : '>') + escape(text) + '</textarea>';
}
