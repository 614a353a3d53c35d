// The styles of Material UI's parts as static stylesheets: every screen of ssr/samples.ts is rendered once, and what the parts
// then use is written down, so that neither the server nor the browser has to insert it.
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
 * The stylesheets of Material UI's parts: the `theme`; `all`, what applicants' screens use; `office`, what only those of the
 * office use; `landing`, the HTML of some of the pages and what it uses. `names` are all classes in `all` and `office`.
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
  return {
    theme: themeRules(context.themeSheets()),
    all,
    office,
    landing: {
      css: collect(await isolate(bundle), landing, []),
      html: landing.map((page) => parted(context.render(JSON.stringify(page))).html).join(''),
    },
    names,
  };
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
