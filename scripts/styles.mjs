// The styles of Material UI's parts as static stylesheets: every screen is rendered with made-up pages (samples.mjs), and what the parts
// then use is written down, so that neither the server nor the browser has to insert it.
import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { transform } from 'lightningcss';

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
 * The stylesheets of Material UI's parts: the `theme`, and `themeData`, what the browser makes it of; `all`, what applicants'
 * screens use; `office`, what only those of the office use; `landing`, the HTML of some of the pages and what it uses. `names`
 * are all classes in `all` and `office`.
 *
 * Pages whose `versionOf` their route is what it was when `kept` was last given are not rendered again, if `versionOf` is given.
 */
export async function collectStyles(bundle, pages, { isOffice, landing, versionOf, kept = {} }) {
  /** One for each list: a template remembers only the styles that were not known when it was made. */
  const once = () => {
    let made;
    return () => (made ??= isolate(bundle));
  };
  const context = once();
  const theme = await known(kept, 'theme', versionOf?.(), async () => {
    const { themeSheets, themeData } = await context();
    return { rules: themeRules(themeSheets()), data: themeData() };
  });
  const collecting = { context, versionOf, kept: (kept.pages ??= {}) };
  const parts = await collect('parts', collecting, [
    ...pages.filter(({ route }) => !isOffice(route)),
    ...pages.filter(({ route }) => isOffice(route)),
  ]);
  const cssOf = (office) =>
    parts
      .filter(({ page }) => isOffice(page.route) === office)
      .map(({ css }) => css)
      .join('');
  const alone = await collect('landing', { ...collecting, context: once() }, landing);
  return {
    theme: theme.rules,
    themeData: theme.data,
    all: cssOf(false),
    office: cssOf(true),
    landing: {
      css: alone.map(({ css }) => css).join(''),
      html: alone.map(({ html }) => html).join(''),
    },
    names: parts.flatMap(({ names }) => names),
  };
}

/** What is kept by a name in its present version, made if it is not. Without a version nothing is. */
async function known(kept, name, version, make) {
  const last = kept[name];
  if (last && version !== undefined && last.version === version) return last.value;
  const value = await make();
  kept[name] = { version, value };
  return value;
}

/** Of each page, in this order: the names and rules that those before it have not, and its HTML. */
async function collect(list, { context, versionOf, kept }, pages) {
  const names = [];
  const all = [];
  // What the pages so far have used, told apart by the text of all of it.
  let before = '';
  for (const [index, page] of pages.entries()) {
    const json = JSON.stringify(page);
    const own = versionOf?.(page.route);
    const version = own && `${own} ${before} ${json}`;
    const seen = await known(kept, `${list} ${index}`, version, async () => {
      const { know, render } = await context();
      know(names);
      return parted(render(json));
    });
    if (seen.names.length > 0) before = createHash('sha256').update(`${before} ${seen.names}`).digest('hex');
    names.push(...seen.names);
    all.push({ ...seen, page });
  }
  return all;
}

/** A stylesheet without the given classes and custom properties. */
function without(names, css) {
  const { code } = transform({
    filename: 'landing.css',
    code: Buffer.from(css),
    minify: true,
    unusedSymbols: [...names],
  });
  return code.toString();
}

/** The custom properties of a stylesheet that nothing in it uses. */
function unusedProperties(css) {
  const declared = [...css.matchAll(/(?<=[{;])(--[\w-]+):([^;{}]*)/g)];
  const used = new Set();
  const follow = (text) => {
    for (const [, name] of text.matchAll(/var\((--[\w-]+)/g)) {
      if (used.has(name)) continue;
      used.add(name);
      for (const [, , value] of declared.filter(([, other]) => other === name)) follow(value);
    }
  };
  follow(declared.reduce((rest, [whole]) => rest.replace(whole, ''), css));
  return declared.map(([, name]) => name).filter((name) => !used.has(name));
}

/**
 * The part of a stylesheet that some HTML needs, as `css`. The classes whose rules were removed are `leftOut`; custom properties that
 * nothing uses any more are removed too.
 */
export function stylesOf(html, css) {
  const shown = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names.split(' ')));
  const named = new Set([...css.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name));
  const leftOut = [...named].filter((name) => !shown.has(name));
  const kept = without(leftOut, css);
  return { css: without(unusedProperties(kept), kept), leftOut };
}
