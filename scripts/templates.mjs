// Makes templates of JSX, for the server's bundle: an element and all that stands in it become one description outside
// of the component, and in the component there is left what changes. See ssr/template.ts.
//
//   <p className="small">Step {step} of <b>{steps}</b></p>
//
// becomes
//
//   const $0 = describe(['p', [['className', 'small']], ['Step ', 0, ' of ', ['b', [], [0]]]]);
//   new Filled($0, [step, steps])
//
// Components, elements with spread attributes and those that depend on what stands around them stay JSX. What is spread is
// put together by Object.assign: what stands behind a spread in a literal V8 adds one by one, in most of a microsecond each.
import ts from 'typescript';

/** Elements whose HTML depends on more than their own attributes: see render-to-string.ts. */
const DEPENDENT = new Set(['option', 'pre', 'select', 'textarea']);

/** What a form is submitted with; React writes it last, in this order. */
const SUBMITTERS = {
  button: ['name', 'formAction', 'formEncType', 'formMethod', 'formTarget'],
  form: ['action', 'encType', 'method', 'target'],
  input: ['name', 'checked', 'defaultChecked', 'value', 'defaultValue'],
};

/** What an input begins with is written as what it has. */
const WRITTEN_AS = { defaultChecked: 'checked', defaultValue: 'value' };

/** The attributes of an element in React's order, not in the source's. */
function writtenLast(tag, attributes, nameOf) {
  const last = SUBMITTERS[tag] ?? [];
  const first = attributes.filter((attribute) => !last.includes(nameOf(attribute)));
  return [...first, ...last.flatMap((name) => attributes.filter((attribute) => nameOf(attribute) === name))];
}

/** The text as a browser has it: lines are trimmed where they were only broken, and joined by a space. */
export function jsxText(text) {
  const lines = text.split(/\r\n|\n|\r/);
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.replace(/^[ \t]+/, '');
      return index === lines.length - 1 ? start : start.replace(/[ \t]+$/, '');
    })
    .filter(Boolean)
    .join(' ');
}

/** The value of an expression that is always the same: { value }. */
function constant(expression) {
  if (ts.isStringLiteral(expression) || ts.isNoSubstitutionTemplateLiteral(expression))
    return { value: expression.text };
  if (ts.isNumericLiteral(expression)) return { value: Number(expression.text) };
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  const isNegative =
    ts.isPrefixUnaryExpression(expression) && expression.operator === ts.SyntaxKind.MinusToken;
  if (isNegative && ts.isNumericLiteral(expression.operand))
    return { value: -Number(expression.operand.text) };
  return undefined;
}

/** `source` with templates in the place of elements. `runtime` is where ssr/template.ts is imported from. */
export function withTemplates(source, { name, runtime }) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX);
  const descriptions = [];

  const opening = (node) => (ts.isJsxElement(node) ? node.openingElement : node);
  const isElement = (node) => ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node);

  function isTemplate(node) {
    if (!isElement(node)) return false;
    const { tagName, attributes } = opening(node);
    const tag = tagName.getText(file);
    return (
      // Not a component, and not a member of something.
      /^[a-z][a-zA-Z0-9]*$/.test(tag) &&
      !DEPENDENT.has(tag) &&
      attributes.properties.every(ts.isJsxAttribute) &&
      (tag !== 'input' || isPlainInput(attributes.properties.map(({ name: named }) => named.getText(file))))
    );
  }

  const isPlainInput = (names) =>
    !names.some((each) => each.startsWith('form') || names.includes(WRITTEN_AS[each]));

  function readable(node, text) {
    if (!/&#?\w+;/.test(text)) return text;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    throw new Error(`${name}:${line + 1}: write the character itself instead of ${text.trim()}`);
  }

  function describeAttribute({ name: attributeName, initializer }, tag, values) {
    const written = attributeName.getText(file);
    const attribute = (tag === 'input' && WRITTEN_AS[written]) || written;
    // Nothing of these is written.
    if (/^on[A-Z]/.test(attribute) || attribute === 'key' || attribute === 'ref') return [];
    if (!initializer) return [[attribute, true]];
    if (ts.isStringLiteral(initializer)) return [[attribute, readable(initializer, initializer.text)]];
    const found = constant(initializer.expression);
    if (found) return [[attribute, found.value]];
    values.push(print(initializer.expression));
    return [[attribute, ['hole']]];
  }

  /** A child's text as a browser has it; none where lines were only broken. */
  function textOf(child) {
    const text = jsxText(readable(child, child.text));
    return text === '' ? [] : [text];
  }

  /** The expression of a child in braces; none of a comment. */
  function expressionOf(child) {
    if (child.dotDotDotToken) throw new Error(`${name}: children cannot be spread`);
    return child.expression ? [child.expression] : [];
  }

  function describeChild(child, values) {
    if (ts.isJsxText(child)) return textOf(child);
    if (ts.isJsxExpression(child)) {
      if (expressionOf(child).length === 0) return [];
      const found = constant(child.expression);
      if (found && typeof found.value === 'string' && found.value !== '') return [found.value];
      values.push(print(child.expression));
      return [0];
    }
    if (ts.isJsxFragment(child)) return [['', [], describeChildren(child, values)]];
    if (isTemplate(child)) return [describeElement(child, values)];
    values.push(print(child));
    return [0];
  }

  const describeChildren = (node, values) =>
    (node.children ?? []).flatMap((child) => describeChild(child, values));

  function describeElement(node, values) {
    const { tagName, attributes } = opening(node);
    const tag = tagName.getText(file);
    // Values are in the order in which they are written.
    const inOrder = writtenLast(tag, attributes.properties, (attribute) => attribute.name.getText(file));
    const described = inOrder.flatMap((attribute) => describeAttribute(attribute, tag, values));
    return [tag, described, describeChildren(node, values)];
  }

  function printTemplate(node) {
    const values = [];
    const description = describeElement(node, values);
    const index = descriptions.push(JSON.stringify(description)) - 1;
    return `new $Filled($${index}, [${values.join(', ')}])`;
  }

  /** Whether it has spread attributes, and more than those. */
  function isSpread(node) {
    if (!isElement(node)) return false;
    const { properties } = opening(node).attributes;
    return properties.some(ts.isJsxSpreadAttribute) && (properties.length > 1 || ts.isJsxElement(node));
  }

  /** An attribute's value as an expression. */
  function printAttribute({ initializer }) {
    if (!initializer) return 'true';
    if (ts.isStringLiteral(initializer)) return JSON.stringify(readable(initializer, initializer.text));
    return print(ts.isJsxExpression(initializer) ? initializer.expression : initializer);
  }

  /** A child as an expression, if it says anything. */
  function printChild(child) {
    if (ts.isJsxText(child)) return textOf(child).map((text) => JSON.stringify(text));
    if (ts.isJsxExpression(child)) return expressionOf(child).map(print);
    return [isTemplate(child) ? printTemplate(child) : print(child)];
  }

  /** An element whose attributes and children are the members of one object, which is all that is spread. */
  function printSpread(node) {
    const { tagName, attributes } = opening(node);
    const parts = [[]];
    let key = '';
    for (const attribute of attributes.properties) {
      if (ts.isJsxSpreadAttribute(attribute)) {
        parts.push(print(attribute.expression), []);
        continue;
      }
      const attributeName = attribute.name.getText(file);
      const value = printAttribute(attribute);
      if (attributeName === 'key') key = ` key={${value}}`;
      else parts.at(-1).push(`${JSON.stringify(attributeName)}: ${value}`);
    }
    const children = (node.children ?? []).flatMap(printChild);
    if (children.length > 0)
      parts.at(-1).push(`children: ${children.length === 1 ? children[0] : `[${children.join(', ')}]`}`);
    // The first one is what the others are put into.
    const said = parts.filter((part, index) => index === 0 || part.length > 0);
    const objects = said.map((part) => (Array.isArray(part) ? `{ ${part.join(', ')} }` : part));
    return `<${tagName.getText(file)}${key} {...Object.assign(${objects.join(', ')})} />`;
  }

  /** The source of a node, with templates in it. */
  function print(node) {
    if (isTemplate(node)) {
      const filled = printTemplate(node);
      const isChild = ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent);
      return isChild ? `{${filled}}` : filled;
    }
    if (isSpread(node)) return printSpread(node);
    let printed = '';
    let at = node.getStart(file);
    const replace = (child) => {
      printed += source.slice(at, child.getStart(file)) + print(child);
      at = child.end;
    };
    ts.forEachChild(node, replace);
    return printed + source.slice(at, node.end);
  }

  const printed = source.slice(0, file.getStart(file)) + print(file);
  if (descriptions.length === 0) return printed;
  // In the first line, so that the others keep their numbers.
  const constants = descriptions.map((description, index) => `const $${index} = $describe(${description});`);
  const imports = `import { Filled as $Filled, describe as $describe } from ${JSON.stringify(runtime)};`;
  return [imports, ...constants].join(' ') + printed;
}
