// The styles of Material UI's parts as static stylesheets: every screen of ssr/samples.ts is rendered once, and what the parts
// then use is written down, so that neither the server nor the browser has to insert it.
import vm from 'node:vm';
import { compile, serialize, stringify } from 'stylis';

/** A context with a server's bundle in it, called as src/render does. */
export async function isolate(bundle) {
  const context = vm.createContext({});
  vm.runInContext(Buffer.from(bundle).toString(), context);
  // The bundle loads its screens in microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  return context;
}

const END = '\u0000';

/** What `render` gave, taken apart. */
export function parted(rendered) {
  if (!rendered.startsWith(END)) return { names: [], css: '', html: rendered };
  const [, names, css] = rendered.split(END, 3);
  return { names: names.split(' '), css, html: rendered.slice(names.length + css.length + 3) };
}

const isColour = (value) => /^(#|rgb|hsl|ok|color|var\(--palette)/.test(String(value));

/**
 * The theme as custom properties: a colour has both its sides in one place, of which light-dark() takes the one that the
 * color-scheme of the element asks for. What is no colour is the same in both.
 */
function themeRules(sheets) {
  const [, light] = Object.entries(sheets.find((sheet) => Object.keys(sheet)[0].includes('"light"')))[0];
  const [, dark] = Object.entries(sheets.find((sheet) => Object.keys(sheet)[0].includes('"dark"')))[0];
  const both = sheets.flatMap((sheet) => Object.entries(sheet)).filter(([selector]) => selector === ':root');
  const rules = both.flatMap(([, values]) =>
    Object.entries(values).map(([name, value]) => `${name}:${value}`),
  );
  for (const [name, value] of Object.entries(light)) {
    const other = dark[name] ?? value;
    if (!name.startsWith('--')) continue;
    // How strong a shade is stays the same.
    const sides = other !== value && isColour(value) && isColour(other);
    rules.push(`${name}:${sides ? `light-dark(${value},${other})` : value}`);
  }
  return `:root{${rules.filter((rule) => !/^--(shadows|overlays|zIndex)/.test(rule)).join(';')}}`;
}

/**
 * The stylesheets of Material UI's parts: the `theme`; `all`, what applicants' screens use; `office`, what only those of the
 * office use; `landing`, what some of the pages show. `names` are all classes in `all` and `office`.
 */
export async function collectStyles(bundle, pages, { isOffice, landing }) {
  const context = await isolate(bundle);
  const names = [];
  const all = collect(
    context,
    pages.filter(({ route }) => !isOffice(route)),
    names,
  );
  const office = collect(
    context,
    pages.filter(({ route }) => isOffice(route)),
    names,
  );
  const html = landing.map((page) => parted(context.render(JSON.stringify(page))).html).join('');
  return {
    theme: themeRules(context.themeSheets()),
    all,
    office,
    landing: shownIn(html, collect(await isolate(bundle), landing, [])),
    names,
  };
}

const CLASS = /css-[\w-]+/g;

/** The rules of what stands in some HTML. A part that is made of another leaves a class behind that no element has. */
function shownIn(html, css) {
  const shown = new Set(html.match(CLASS));
  const isShown = (selector) => (selector.match(CLASS) ?? []).every((name) => shown.has(name));
  const kept = (rules) =>
    rules.flatMap((rule) => {
      if (rule.type === 'rule') return rule.props.some(isShown) ? [rule] : [];
      if (!Array.isArray(rule.children) || rule.type === '@keyframes') return [rule];
      return [Object.assign(rule, { children: kept(rule.children) })];
    });
  return serialize(kept(compile(css)), stringify);
}

/** The theme without the custom properties of which some styles, and those that these name, say nothing. */
export function themeFor(styles, theme) {
  const declared = new Map(
    [...theme.matchAll(/(--[\w-]+):([^;{}]+)/g)].map(([, name, value]) => [name, value]),
  );
  const used = new Set();
  const follow = (text) => {
    for (const [, name] of text.matchAll(/var\((--[\w-]+)/g)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(declared.get(name) ?? '');
    }
  };
  follow(styles);
  return theme.replace(/(--[\w-]+):[^;{}]+;?/g, (declaration, name) => (used.has(name) ? declaration : ''));
}

/** What pages use that is not among the known names, which are added to. */
function collect(context, pages, names) {
  let css = '';
  for (const page of pages) {
    const seen = parted(context.render(JSON.stringify(page)));
    css += seen.css;
    names.push(...seen.names);
    context.know(names);
  }
  return css;
}
