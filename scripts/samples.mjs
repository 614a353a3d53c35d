// Sample pages of every route, generated from the types that Rust has written (client/api/page.gen.ts): a full one, an
// empty one, and some mixed ones. The styles of a build are collected from them (scripts/styles.mjs), and the server's
// HTML is compared with the browser's (static-page.test.ts).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const source = (path) => readFileSync(join(root, path), 'utf8');

const FULL = 0;
const EMPTY = 1;
/** Number of pages per route. All sections of the application are one route: each occurs twice. */
const pagesOf = (route) => (route === 'application' ? 2 * SECTIONS.length : 8);

/** Contains markup, quotes and non-ASCII characters. */
const SENTENCE = `Ñandú’s “in” & "out" of <b>bounds</b>.`;

const TABLE = source('client/features/application/table.gen.ts');
/** The paths of the application's questions. */
const PATHS = [...TABLE.matchAll(/ path: '(\w+\.[\w.]+)'/g)].map(([, path]) => path);
/** The form's sections: their list, those of the table, and that of the program's own questions. */
const SECTIONS = [null, ...[...TABLE.matchAll(/ id: '([\w-]+)'/g)].map(([, id]) => id), 'questions'];

/** Fields whose errors are shown by screens. */
const FIELDS = [
  ...new Set(
    readdirSync(join(root, 'client'), { recursive: true })
      .filter((name) => name.endsWith('.tsx'))
      .flatMap((name) => [...source(join('client', name)).matchAll(/errors\['([\w.]+)'\]/g)])
      .map(([, field]) => field),
  ),
  ...PATHS,
];

/** Errors for all fields, on some pages. */
const errorsOf = (page, route) => {
  const fields = ['application', 'check'].includes(route) ? PATHS : FIELDS;
  return page % 3 === 0 ? Object.fromEntries(fields.map((field) => [field, SENTENCE])) : {};
};

/** Members that are narrower than their type, by `Owner.member` or name; generated from the page number and a count. */
const MEMBERS = {
  'ApplicationProps.conflict': (page) => (page % 4 === 2 ? PATHS.slice(0, 2) : null),
  'ApplicationProps.section': (page) => SECTIONS[page % SECTIONS.length],
  'MissingAnswer.path': (_, count) => PATHS[count % PATHS.length],
  'OfficeInfo.menu': () => ['/admin-panel/work', '/admin-panel/applications', '/admin-panel/settings'],
  'Shared.path': () => '/bachelor/apply',
  earliest: () => '2026-01-01',
  latest: () => '2026-12-31',
};

/** A member without which a page shows little, and those that hide its section: only on pages of the second round. */
const USUAL = new Set(['ApplicationProps.application']);
const SELDOM = new Set(
  ['changes', 'dialog', 'form', 'otherProgram', 'sent'].map((member) => `ApplicationProps.${member}`),
);

/** Returns the declared types by name. */
function declarations() {
  const file = ts.createSourceFile('page.gen.ts', source('client/api/page.gen.ts'), ts.ScriptTarget.Latest);
  const aliases = file.statements.filter(ts.isTypeAliasDeclaration);
  return new Map(aliases.map(({ name, type }) => [name.text, type]));
}

/** Returns a pseudo-random generator that is the same in every build. */
function chances(seed) {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const isNull = (type) => ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword;

/** Generates the props of one page of a route. */
class Maker {
  constructor(types, page, route) {
    Object.assign(this, { types, page, route, chance: chances(page + 1), count: 0, depth: 0 });
  }

  /** Returns one of several options in turn, across uses and pages. */
  oneOf(options) {
    return options[(this.page + this.count++) % options.length];
  }

  isThere(member) {
    if (this.page === EMPTY) return false;
    if (SELDOM.has(member)) return this.page >= SECTIONS.length && this.chance(3) === 0;
    return this.page === FULL || USUAL.has(member) || this.chance(4) > 0;
  }

  /** Returns a text that no other member of the page has. */
  text(name) {
    const mark = `${this.page}-${this.count++}`;
    if (/href$|path$|^back$/i.test(name)) return `/bachelor/apply?at=${mark}`;
    // Personal data, which the server must not cache.
    if (/^(?:email|firstName|lastName|ownerName)$/.test(name)) return `Zoë <${mark}>`;
    return /^(?:id|key|name|value|section|code)$|(?:Id|Key)$/.test(name)
      ? `${name}${mark}`
      : `${SENTENCE} ${mark}`;
  }

  /** Returns a value of a type, for the member `name` of `owner`. */
  value(type, owner, name) {
    const own = MEMBERS[`${owner}.${name}`] ?? MEMBERS[name];
    if (own) return own(this.page, this.count++);
    switch (type.kind) {
      case ts.SyntaxKind.UnionType: {
        const options = type.types.filter((option) => !isNull(option));
        const isThere = options.length === type.types.length || this.isThere(`${owner}.${name}`);
        return isThere
          ? this.value(options.length > 1 ? this.oneOf(options) : options[0], owner, name)
          : null;
      }
      case ts.SyntaxKind.IntersectionType:
        return Object.assign({}, ...type.types.map((part) => this.value(part, owner, name)));
      case ts.SyntaxKind.ParenthesizedType:
        return this.value(type.type, owner, name);
      case ts.SyntaxKind.TypeLiteral:
        return this.object(type, owner);
      case ts.SyntaxKind.MappedType:
        return this.mapped(type, owner);
      case ts.SyntaxKind.TypeReference:
        return this.named(type, owner, name);
      case ts.SyntaxKind.ArrayType:
        return this.list(type.elementType, owner, name);
      case ts.SyntaxKind.TupleType:
        return type.elements.map((element) => this.value(element, owner, name));
      case ts.SyntaxKind.TemplateLiteralType:
        return type.head.text + type.templateSpans.map(({ literal }) => `notes${literal.text}`).join('');
      case ts.SyntaxKind.LiteralType:
        return isNull(type) ? null : literalValue(type.literal);
      case ts.SyntaxKind.StringKeyword:
        return this.text(name);
      case ts.SyntaxKind.NumberKeyword:
        return this.page === EMPTY ? 0 : 1 + this.chance(9);
      case ts.SyntaxKind.BooleanKeyword:
        return this.isThere();
      default:
        throw new Error(`${owner}.${name}: no sample of ${ts.SyntaxKind[type.kind]}`);
    }
  }

  named(type, owner, name) {
    const to = type.typeName.text;
    if (to === 'Array') return this.list(type.typeArguments[0], owner, name);
    if (to === 'Record') return name === 'errors' ? errorsOf(this.page, this.route) : {};
    const declared = this.types.get(to);
    if (!declared) throw new Error(`${owner}.${name}: no type ${to}`);
    const hasMembers = ts.isTypeLiteralNode(declared) || ts.isIntersectionTypeNode(declared);
    return this.value(declared, hasMembers ? to : owner, hasMembers ? '' : name);
  }

  object(type, owner) {
    const members = type.members.filter(
      ({ questionToken, name }) => !questionToken || this.isThere(`${owner}.${name.text}`),
    );
    return Object.fromEntries(
      members.map(({ name, type: of }) => [name.text, this.value(of, owner, name.text)]),
    );
  }

  /** Returns an object with a member for each key of a union. */
  mapped(type, owner) {
    const keys = type.typeParameter.constraint;
    const declared = ts.isTypeReferenceNode(keys) ? this.types.get(keys.typeName.text) : keys;
    if (!declared || !ts.isUnionTypeNode(declared)) return {};
    const there = declared.types.filter(() => !type.questionToken || this.isThere());
    return Object.fromEntries(
      there.map((key) => [key.literal.text, this.value(type.type, owner, key.literal.text)]),
    );
  }

  list(type, owner, name) {
    if (this.page === EMPTY) return [];
    this.depth += 1;
    const made = Array.from({ length: this.depth > 2 ? 2 : 4 }, () => this.value(type, owner, name));
    this.depth -= 1;
    return made;
  }
}

function literalValue(of) {
  if (ts.isNumericLiteral(of)) return Number(of.text);
  return of.kind === ts.SyntaxKind.TrueKeyword || (of.kind !== ts.SyntaxKind.FalseKeyword && of.text);
}

export function samplePages() {
  const types = declarations();
  const screens = types.get('Page').types.at(-1).type.types;
  return screens.flatMap((screen) => {
    const route = screen.members[0].type.literal.text;
    return Array.from({ length: pagesOf(route) }, (_, page) => {
      const maker = new Maker(types, page, route);
      const { props } = maker.object(screen, 'Page');
      const shared = maker.value(types.get('Shared'), 'Shared', '');
      return { route, status: 200, head: { title: route }, shared, props };
    });
  });
}
