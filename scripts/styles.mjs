// The styles of Material UI's parts as static stylesheets: every screen of ssr/samples.ts is rendered once, and what the parts
// then use is written down, so that neither the server nor the browser has to insert it.
import vm from 'node:vm';

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
 * The stylesheets of Material UI's parts: `all` has the theme and what applicants' screens use, `office` what only those of
 * the office use. `names` are all classes in them.
 */
export async function collectStyles(bundle, pages, isOffice) {
  const context = await isolate(bundle);
  const collect = (wanted) => {
    let css = '';
    const names = [];
    // What has been seen is not told again.
    for (const page of pages.filter(({ route }) => isOffice(route) === wanted)) {
      const seen = parted(context.render(JSON.stringify(page)));
      css += seen.css;
      names.push(...seen.names);
      context.know([...known, ...names]);
    }
    known.push(...names);
    return css;
  };
  const known = [];
  const all = themeRules(context.themeSheets()) + collect(false);
  const office = collect(true);
  return { all, office, names: known };
}
