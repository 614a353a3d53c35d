// Finds texts for people in TypeScript and JSX, and replaces them with translations, source to source. The English
// sentence is the key:
//
//   <p>Write to <a href={href}>{name}</a></p>        Write to <1>{name}</1>
//   <input aria-label="Your name" />                 Your name
//   t`${done} of ${steps.length} steps`              {done} of {length} steps
//   t('Done')                                        Done
//
// The children of an element that contains text are one message, so that a translation may reorder them: expressions
// appear in it by name, elements by number. Leading and trailing elements without text are not part of it.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';

/** Attributes and props whose values are texts for people. */
const TEXT_ATTRIBUTES = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'button',
  'countryLabel',
  'errorTitle',
  'heading',
  'hint',
  'label',
  'phoneHint',
  'placeholder',
  'summary',
  'title',
  'word',
]);

/** What only staff, developers and tests see stays in English. */
export const isTranslated = (name) =>
  /^client\/.*\.tsx?$/.test(name) &&
  !/admin|client\/theme|mailbox|office|testing|us-states|api\/languages|\.test\.|api\/[\w-]+\.gen\.|dev-reload/.test(
    name,
  );

/** Returns `text` with the surrounding white space of `whole`. */
const inPlaceOf = (whole, text) =>
  whole.slice(0, whole.length - whole.trimStart().length) + text + whole.slice(whole.trimEnd().length);

const hasLetters = (text) => /\p{L}/u.test(text);

/** Splits a message into parts: texts, { hole: name } and { tag: number, parts? }. */
export function parse(message) {
  const root = [];
  const open = [{ parts: root }];
  let at = 0;
  for (const found of message.matchAll(/\{(\w+)\}|<(\/?)(\d+)(\/?)>/g)) {
    const { parts, tag } = open.at(-1);
    if (found.index > at) parts.push(message.slice(at, found.index));
    at = found.index + found[0].length;
    const [, hole, isEnd, number, isEmpty] = found;
    if (hole) parts.push({ hole });
    else if (isEmpty) parts.push({ tag: number });
    else if (!isEnd) {
      const inner = { tag: number, parts: [] };
      parts.push(inner);
      open.push(inner);
    } else if (tag === number && open.length > 1) open.pop();
    else throw new Error(`</${number}> ends nothing in: ${message}`);
  }
  if (open.length > 1) throw new Error(`<${open.at(-1).tag}> has no end in: ${message}`);
  if (at < message.length) open[0].parts.push(message.slice(at));
  return root;
}

/** Returns the names and numbers in a message, sorted: a translation must have the same. */
export function marks(message) {
  const of = (parts) =>
    parts.flatMap((part) => {
      if (typeof part === 'string') return [];
      if (part.hole) return [`{${part.hole}}`];
      return [part.parts ? `<${part.tag}>` : `<${part.tag}/>`, ...of(part.parts ?? [])];
    });
  return of(parse(message)).toSorted();
}

/** Returns the text as rendered: line breaks and the indentation around them become a space. */
function jsxText(text) {
  const lines = text.split(/\r\n|\n|\r/);
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.replace(/^[ \t]+/, '');
      return index === lines.length - 1 ? start : start.replace(/[ \t]+$/, '');
    })
    .filter(Boolean)
    .join(' ');
}

/**
 * Returns the source with every message replaced by what `translate` returns, or unchanged if that is nothing. `found`
 * receives each message and its line, `escaped` each text that looks like an unmarked message.
 */
export function withTexts(source, { name, translate, found = () => undefined, escaped = () => undefined }) {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true, kind);
  const lineOf = (node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;

  /** Returns the name of an expression in a message. */
  function nameOf(expression) {
    if (ts.isIdentifier(expression)) return expression.text;
    if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
    if (ts.isCallExpression(expression)) {
      const { expression: called, arguments: given } = expression;
      if (ts.isPropertyAccessExpression(called)) {
        return /^(join|toLowerCase)$/.test(called.name.text) ? nameOf(called.expression) : called.name.text;
      }
      return /^(Number|String)$/.test(called.getText(file)) ? nameOf(given[0]) : nameOf(called);
    }
    if (ts.isParenthesizedExpression(expression) || ts.isNonNullExpression(expression))
      return nameOf(expression.expression);
    if (ts.isBinaryExpression(expression)) return nameOf(expression.left);
    return 'value';
  }

  /** Names the holes of one message: the same name for the same expression. */
  function namer() {
    const taken = new Map();
    return (expression) => {
      const text = expression.getText(file);
      const base = nameOf(expression);
      for (let number = 1; ; number++) {
        const hole = number === 1 ? base : `${base}${number}`;
        if (!taken.has(hole)) taken.set(hole, text);
        if (taken.get(hole) === text) return hole;
      }
    };
  }

  function told(message, node) {
    found(message, lineOf(node));
    return translate(message) || message;
  }

  const isElement = (node) =>
    ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node);

  /** Returns the children as parts: texts, { node, hole? } and elements, with inner parts if they show something. */
  function partsOf(children) {
    const parts = [];
    const addText = (text) => {
      if (typeof parts.at(-1) === 'string') parts[parts.length - 1] += text;
      else parts.push(text);
    };
    for (const child of children) {
      if (ts.isJsxText(child)) {
        if (/&#?\w+;/.test(child.text))
          throw new Error(
            `${name}:${lineOf(child)}: write the character itself instead of ${child.text.trim()}`,
          );
        const text = jsxText(child.text);
        if (text !== '') addText(text);
      } else if (ts.isJsxExpression(child)) {
        if (!child.expression) continue;
        const isText =
          ts.isStringLiteral(child.expression) || ts.isNoSubstitutionTemplateLiteral(child.expression);
        if (isText) addText(child.expression.text);
        else parts.push({ node: child, hole: child.expression });
      } else {
        const inner = partsOf(child.children ?? []);
        const shows = inner.some((part) =>
          typeof part === 'string' ? hasLetters(part) : part.hole || part.inner,
        );
        parts.push({ node: child, inner: shows ? inner : undefined });
      }
    }
    return parts;
  }

  /** Returns the printed children of an element that contains text; otherwise undefined. */
  function childrenOf(node) {
    const parts = partsOf(node.children);
    const isText = (part) => typeof part === 'string';
    if (!parts.some((part) => isText(part) && hasLetters(part))) return undefined;
    const isOutside = (part) => !isText(part) && !part.hole && !part.inner;
    let start = 0;
    let end = parts.length;
    while (isOutside(parts[start])) start++;
    while (isOutside(parts[end - 1])) end--;

    const holes = new Map();
    const tags = new Map();
    const holeOf = namer();
    const write = (some) =>
      some
        .map((part) => {
          if (isText(part)) {
            if (/[{}<>]/.test(part))
              throw new Error(`${name}:${lineOf(node)}: a message cannot have ${part}`);
            return part;
          }
          if (part.hole) {
            const hole = holeOf(part.hole);
            holes.set(hole, part.node);
            return `{${hole}}`;
          }
          const tag = String(tags.size + 1);
          tags.set(tag, part.node);
          return part.inner ? `<${tag}>${write(part.inner)}</${tag}>` : `<${tag}/>`;
        })
        .join('');
    const whole = write(parts.slice(start, end));
    const key = whole.trim();
    const translation = told(key, node);

    const fill = (some) =>
      some
        .map((part) => {
          if (isText(part)) return `{${JSON.stringify(part)}}`;
          if (part.hole) return print(holes.get(part.hole));
          const element = tags.get(part.tag);
          if (!part.parts) return print(element);
          const [opening, closing] = ts.isJsxFragment(element)
            ? [element.openingFragment, element.closingFragment]
            : [element.openingElement, element.closingElement];
          return `${print(opening)}${fill(part.parts)}${closing.getText(file)}`;
        })
        .join('');
    const around = (some) => some.map((part) => print(part.node)).join('');
    return (
      around(parts.slice(0, start)) + fill(parse(inPlaceOf(whole, translation))) + around(parts.slice(end))
    );
  }

  /** Returns a marked text as a literal. */
  function marked(node) {
    const [holes, key] = [new Map(), []];
    const template = ts.isTaggedTemplateExpression(node) ? node.template : node.arguments[0];
    if (!template || !(ts.isTemplateExpression(template) || ts.isStringLiteralLike(template)))
      throw new Error(`${name}:${lineOf(node)}: t takes a text that is written there`);
    if (ts.isTemplateExpression(template)) {
      const holeOf = namer();
      key.push(template.head.text);
      for (const { expression, literal } of template.templateSpans) {
        const hole = holeOf(expression);
        holes.set(hole, expression);
        key.push(`{${hole}}`, literal.text);
      }
    } else key.push(template.text);
    const whole = key.join('');
    const text = inPlaceOf(whole, told(whole.trim(), node));
    if (!ts.isTemplateExpression(template)) return JSON.stringify(text);
    const printed = parse(text).map((part) =>
      typeof part === 'string' ? part.replace(/[\\`]|\$\{/g, '\\$&') : `\${${print(holes.get(part.hole))}}`,
    );
    return `\`${printed.join('')}\``;
  }

  function attribute(node) {
    const { initializer } = node;
    if (!initializer || !ts.isStringLiteral(initializer)) return undefined;
    if (!TEXT_ATTRIBUTES.has(node.name.getText(file)) || !hasLetters(initializer.text)) return undefined;
    return `${node.name.getText(file)}={${JSON.stringify(told(initializer.text, node))}}`;
  }

  function isMarked(node) {
    const called = ts.isCallExpression(node)
      ? node.expression
      : ts.isTaggedTemplateExpression(node) && node.tag;
    return called && ts.isIdentifier(called) && called.text === 't';
  }

  function print(node) {
    if (isMarked(node)) return marked(node);
    if (ts.isJsxAttribute(node)) {
      const printed = attribute(node);
      if (printed) return printed;
    }
    if (isElement(node) && node.children) {
      const children = childrenOf(node);
      if (children !== undefined) {
        const [opening, closing] = ts.isJsxFragment(node)
          ? [node.openingFragment, node.closingFragment]
          : [node.openingElement, node.closingElement];
        return `${print(opening)}${children}${closing.getText(file)}`;
      }
    }
    if (isEscaped(node, file)) escaped(node.getText(file), lineOf(node));
    let printed = '';
    let at = node.getStart(file);
    ts.forEachChild(node, (child) => {
      printed += source.slice(at, child.getStart(file)) + print(child);
      at = child.end;
    });
    return printed + source.slice(at, node.end);
  }

  return source.slice(0, file.getStart(file)) + print(file);
}

/** Calls and attributes whose texts are for the browser or the console. */
const TECHNICAL_CALL =
  /^(super|styled\(.+\)|console\.\w+|[\w.]*\.(get|has|includes|querySelector|setHeader))$/;
const TECHNICAL_ATTRIBUTE = /^(aria-(labelledby|describedby)|className|d|href|id)$/;

/** Whether a text looks unmarked, by its place or its form. */
function isEscaped(node, file) {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  const literals = ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)]
    : [node];
  const text = literals.map((literal) => literal.text).join('…');
  if (isShown(node)) return hasLetters(text);
  const { parent } = node;
  if (ts.isJsxAttribute(parent)) return false;
  const isSentence =
    /^[^\p{L}<#]*\p{Lu}\p{Ll}+([ .,:?!’…]|$)/u.test(text) || /\p{Ll} \p{Ll}+ \p{Ll}/u.test(text);
  if (!isSentence || /^(Authorization$|Bearer )/.test(text)) return false;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent) || ts.isCaseClause(parent)) return false;
  if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText(file))) return false;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  for (let around = parent; around && !ts.isStatement(around); around = around.parent) {
    if (ts.isNewExpression(around) && around.expression.getText(file).endsWith('Error')) return false;
    if (ts.isCallExpression(around)) {
      const called = around.expression.getText(file);
      if (TECHNICAL_CALL.test(called)) return false;
      if (/\.(ends|starts)With$/.test(called)) return false;
    }
    if (ts.isJsxAttribute(around) && TECHNICAL_ATTRIBUTE.test(around.name.getText(file))) return false;
  }
  return true;
}

/** Whether the node's value is shown as a child of an element. */
function isShown(node) {
  const { parent } = node;
  if (ts.isJsxExpression(parent)) return !ts.isJsxAttribute(parent.parent);
  if (ts.isParenthesizedExpression(parent)) return isShown(parent);
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isShown(parent);
  return ts.isBinaryExpression(parent) && parent.right === node && isShown(parent);
}

/** The browser's list of countries: see generate-reference.mjs. */
const COUNTRIES = 'client/api/countries.gen.ts';

/** Returns the list with translated names, in their order; the first country stays first. */
function withCountries(source, { language, translate }) {
  return source.replace(/(?<=`)[^`]+(?=`)/, (table) => {
    const [first, ...others] = table.split('\n').map((line) => {
      const [code, ...words] = line.split(' ');
      return { code, name: translate(words.join(' ')) || words.join(' ') };
    });
    const sorted = others.toSorted((a, b) => a.name.localeCompare(b.name, language));
    return [first, ...sorted].map(({ code, name }) => `${code} ${name}`).join('\n');
  });
}

/** Translated sources by language and file, shared by the server's and the browser's bundle. */
const kept = new Map();

/** An esbuild plugin that loads our files in a language; `catalogue` is read at the start of each build. */
export function texts({ language, catalogue, after = () => '' }) {
  return {
    name: 'texts',
    setup(build) {
      const { absWorkingDir } = build.initialOptions;
      let translations;
      build.onStart(() => {
        translations = catalogue();
      });
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const name = relative(absWorkingDir, path);
        const more = after(name);
        // esbuild reads unchanged files itself, which is faster.
        if (!isTranslated(name) && name !== COUNTRIES && more === '') return undefined;
        const source = readFileSync(path, 'utf8');
        const loader = name.endsWith('x') ? 'tsx' : 'ts';
        const key = `${language} ${name}`;
        const last = kept.get(key);
        if (last?.source === source && last.asked.every(([message, told]) => translations[message] === told))
          return { contents: last.contents + more, loader };
        const asked = [];
        const translate = (message) => {
          asked.push([message, translations[message]]);
          return translations[message];
        };
        const told = () => {
          if (name === COUNTRIES) return withCountries(source, { language, translate });
          return isTranslated(name) ? withTexts(source, { name, translate }) : source;
        };
        const contents = told();
        kept.set(key, { source, asked, contents });
        return { contents: contents + more, loader };
      });
    },
  };
}
