// Static stylesheets for Material UI's components: every screen is rendered with sample pages (samples.mjs) and the
// styles it uses are recorded, so that neither the server nor the browser has to insert them.
import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { transform } from 'lightningcss';

/** Creates a context with a server bundle in it, called as src/render does. */
export async function isolate(bundle) {
  const context = vm.createContext({});
  vm.runInContext(Buffer.from(bundle).toString(), context);
  // The bundle loads its screens in microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  return context;
}

const END = '\u0000';

/** Splits the output of `render` into its parts. */
export function parted(rendered) {
  if (!rendered.startsWith(END)) return { names: [], css: '', html: rendered };
  const [, names, css] = rendered.split(END, 3);
  return { names: names.split(' '), css, html: rendered.slice(names.length + css.length + 3) };
}

const isColour = (value) => /^(#|rgb|hsl|ok|color|var\(--palette)/.test(String(value));

/**
 * Returns the theme as custom properties: a colour holds both sides, of which light-dark() picks one by the element's
 * color-scheme. Other values are the same in both.
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
    // The strength of a shade stays the same.
    const sides = other !== value && isColour(value) && isColour(other);
    rules.push(`${name}:${sides ? `light-dark(${value},${other})` : value}`);
  }
  return `:root{${rules.filter((rule) => !/^--(shadows|overlays|zIndex)/.test(rule)).join(';')}}`;
}

/**
 * Collects the stylesheets of Material UI's components: the `theme`, and `themeData`, from which the browser builds it;
 * `all`, used by applicants' screens; `office`, only used by staff screens; `landing`, the HTML and the styles of the
 * landing pages. `names` are all classes in `all` and `office`.
 *
 * If `versionOf` is given, pages whose route has the same version as in the last call with `kept` are not rendered
 * again.
 */
export async function collectStyles(bundle, pages, { isOffice, landing, versionOf, kept = {} }) {
  /** One context per list: a template remembers only the styles that were unknown when it was created. */
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

/**
 * Returns the cached value of a name if its version is current, otherwise creates it. Without a version nothing is
 * cached.
 */
async function known(kept, name, version, make) {
  const last = kept[name];
  if (last && version !== undefined && last.version === version) return last.value;
  const value = await make();
  kept[name] = { version, value };
  return value;
}

/** Returns for each page, in order, its HTML and the names and rules that earlier pages do not have. */
async function collect(list, { context, versionOf, kept }, pages) {
  const names = [];
  const all = [];
  // Identifies the styles used so far, by a hash of their names.
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

/** Returns a stylesheet without the given classes and custom properties. */
function without(names, css) {
  const { code } = transform({
    filename: 'landing.css',
    code: Buffer.from(css),
    minify: true,
    unusedSymbols: [...names],
  });
  return code.toString();
}

/** Returns the custom properties that are declared in a stylesheet but never used. */
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
 * Returns the part of a stylesheet that the HTML needs as `css`. `leftOut` are the classes whose rules were removed;
 * custom properties that are no longer used are removed too.
 */
export function stylesOf(html, css) {
  const shown = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names.split(' ')));
  const named = new Set([...css.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name));
  const leftOut = [...named].filter((name) => !shown.has(name));
  const kept = without(leftOut, css);
  return { css: without(unusedProperties(kept), kept), leftOut };
}
