// Bundles what the binary embeds: the server-side renderer and the browser's chunks, once for each language, the
// stylesheet and the fonts, with a manifest that src/pages/assets.rs reads. Called by build.rs, and by scripts/dev.mjs with
// `dev` (React's development build for the browser, source maps, nothing compressed).
//
//   node scripts/bundle.mjs OUT_DIR [--dev]
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { minify } from '@swc/core';
import * as esbuild from 'esbuild';
import { texts } from './messages.mjs';
import { lean } from './lean.mjs';
import { collectStyles, isolate, themeFor } from './styles.mjs';
import { catalogueOf, languages as translations } from './texts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Where the server answers with these files. */
const PUBLIC_PATH = '/assets';
/** The one page that starts without React: its script fetches the entry when somebody is about to use it. */
const LANDING_ROUTE = 'apply';
/** How the routes of the office begin, which load one more stylesheet. */
const OFFICE_ROUTES = 'admin';
/** Fonts of what is seen first. */
const PRELOADED_FONTS = ['pt-serif-400', 'public-sans-600'];

/** The first is the one that everything is written in. */
const languages = ['en', ...translations];

const common = (dev, language) => ({
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  target: 'es2022',
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
  define: {
    'process.env.NODE_ENV': dev ? '"development"' : '"production"',
    LANGUAGE: JSON.stringify(language),
  },
});

/** One classic script for a bare isolate. It is always React's production build. */
const server = (entry, language) => ({
  ...common(false, language),
  entryPoints: [entry],
  outfile: 'ssr.js',
  platform: 'neutral',
  format: 'iife',
  mainFields: ['module', 'main'],
  conditions: ['worker', 'module'],
  // Fetched by the browser when somebody sends a file.
  external: ['tus-js-client'],
  minifySyntax: true,
  minifyWhitespace: true,
});

/** The translations that stand in the place of the English texts. */
const catalogue = (language) => (language === 'en' ? {} : catalogueOf(language));

/** The string renderer alone. The package's own entries bring a streaming one along, which is twice the code and wants
 * MessageChannel or TextEncoder. */
const stringRenderer = join(root, 'node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js');

/** The renderer. `stock` has emotion itself behind Material UI, as its documentation has it: what tests and benchmarks
 * compare with. With `themeData` it has of Material UI what the browser has. */
export async function bundleServer(language = 'en', { stock = false, templated = !stock, themeData } = {}) {
  const engine = stock ? {} : { '@mui/styled-engine': join(root, 'ssr/styled-engine.tsx') };
  const { outputFiles } = await esbuild.build({
    ...server(stock ? 'ssr/stock-entry.tsx' : 'ssr/entry.tsx', language),
    alias: { 'react-dom/server': stringRenderer, ...engine },
    plugins: [
      ...(templated ? [templates] : []),
      ...(themeData ? [lean(themeData)] : []),
      texts({ language, catalogue: catalogue(language) }),
    ],
  });
  return outputFiles[0].contents;
}

/** Parts that are templates on the server take the place of those in client/ui, for everybody but themselves. */
const templates = {
  name: 'templates',
  setup(build) {
    const own = join(root, 'ssr/ui');
    const names = readdirSync(own).map((name) => name.replace(/\.ts$/, ''));
    build.onResolve({ filter: new RegExp(`/(${names.join('|')})$`) }, ({ path, importer, resolveDir }) => {
      if (dirname(importer) === own || dirname(join(resolveDir, path)) !== join(root, 'client/ui'))
        return undefined;
      return { path: join(own, `${basename(path)}.ts`) };
    });
  },
};

/** One page of every route, from ssr/samples.ts. */
export async function samplePages() {
  const { outputFiles } = await esbuild.build({
    ...common(false, 'en'),
    entryPoints: ['ssr/samples.ts'],
    outfile: 'samples.js',
    platform: 'neutral',
    format: 'esm',
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  const { pages } = await import(`data:text/javascript;base64,${source}`);
  return pages;
}

/** Material UI and emotion as in production, in a development run too: what they say of themselves there is part of the
 * names of their classes, which the server has made. */
const calm = {
  name: 'calm',
  setup(build) {
    build.onLoad({ filter: /node_modules\/(@mui|@emotion)\/.*\.m?js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('process.env.NODE_ENV', '"production"'),
      loader: 'js',
    }));
  },
};

/** The browser's side in one language: hashed files, and by route what a document has to load. */
async function bundleBrowser(dev, language, themeData) {
  const { outputFiles, metafile } = await esbuild.build({
    ...common(dev, language),
    plugins: [lean(themeData), texts({ language, catalogue: catalogue(language) }), ...(dev ? [calm] : [])],
    entryPoints: [
      'client/entry.tsx',
      'client/landing.ts',
      'client/theme/index.css',
      'client/theme/landing.css',
      'client/theme/office.css',
      ...(dev ? ['client/dev-reload.ts'] : []),
    ],
    outdir: 'assets',
    outbase: 'client',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: PUBLIC_PATH,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    loader: { '.woff2': 'file' },
    minify: !dev,
    sourcemap: dev ? 'inline' : false,
  });

  const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ path, ...output }));
  const fromSource = (source) => {
    const output = outputs.find((candidate) => candidate.entryPoint === source);
    if (!output) throw new Error(`${source} is not in the bundle`);
    return output;
  };
  const withImports = (path, seen = new Set()) => {
    if (seen.has(path)) return seen;
    seen.add(path);
    const { imports } = metafile.outputs[path];
    for (const { path: imported, kind, external } of imports) {
      if (kind === 'import-statement' && !external) withImports(imported, seen);
    }
    return seen;
  };

  const entry = fromSource('client/entry.tsx').path;
  const routes = {};
  for (const { entryPoint } of outputs) {
    if (!entryPoint?.startsWith('client/routes/')) continue;
    const route = basename(entryPoint, '.tsx').replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    const preloads = new Set([...withImports(entry), ...withImports(fromSource(entryPoint).path)]);
    preloads.delete(entry);
    const styles = route.startsWith(OFFICE_ROUTES)
      ? [basename(fromSource('client/theme/office.css').path)]
      : [];
    routes[route] = {
      scripts: [basename(entry)],
      preloads: [...preloads].map((path) => basename(path)),
      styles,
    };
  }
  routes[LANDING_ROUTE] = {
    scripts: [basename(fromSource('client/landing.ts').path)],
    preloads: [],
    styles: [],
  };
  if (dev) {
    const reload = basename(fromSource('client/dev-reload.ts').path);
    for (const { scripts } of Object.values(routes)) scripts.push(reload);
  }

  const names = outputs.map(({ path }) => basename(path));
  const fonts = PRELOADED_FONTS.map((font) =>
    names.find((name) => name.startsWith(`${font}-`) && !name.startsWith(`${font}-italic`)),
  ).filter(Boolean);
  const built = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  return {
    files: await Promise.all(built.map((file) => (!dev && file.name.endsWith('.js') ? smaller(file) : file))),
    stylesheet: basename(fromSource('client/theme/index.css').path),
    landingStylesheet: basename(fromSource('client/theme/landing.css').path),
    officeStylesheet: basename(fromSource('client/theme/office.css').path),
    routes,
    fonts,
  };
}

const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
};

/** The ways in which a file is kept, by suffix. Fonts are compressed already. */
async function encodings({ name, contents }, dev) {
  if (dev || name.endsWith('.woff2')) return { '': contents };
  const br = promisify(brotliCompress)(contents, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
    },
  });
  const gz = promisify(gzip)(contents, { level: constants.Z_BEST_COMPRESSION });
  return { '': contents, '.br': await br, '.gz': await gz };
}

/** A script made smaller than esbuild makes it, by a thirtieth. */
async function smaller({ name, contents }) {
  const { code } = await minify(Buffer.from(contents).toString(), {
    module: true,
    ecma: 2022,
    compress: { passes: 3 },
    mangle: true,
  });
  return { name, contents: Buffer.from(code) };
}

/** The same file with more at its beginning, where what says as much gives way to ours, and so with another name. */
function extended({ name, contents }, more) {
  const longer = Buffer.concat([Buffer.from(more), contents]);
  const hash = createHash('sha256').update(longer).digest('hex').slice(0, 8).toUpperCase();
  return { name: name.replace(/-[^-]+(?=\.css$)/, `-${hash}`), contents: longer };
}

/** Writes `out/manifest.json`, last, beside `out/ssr.LANGUAGE.js` and the files it names in `out/assets`. */
export async function bundle(out, { dev = false } = {}) {
  const servers = await Promise.all(languages.map((language) => bundleServer(language)));
  const isOffice = (route) => route.startsWith(OFFICE_ROUTES);
  const pages = await samplePages();
  // As it is kept: for anybody, and with no dialog open.
  const landing = pages
    .filter(({ route, shared }) => route === LANDING_ROUTE && !shared.viewer)
    .map((page) => ({ ...page, props: { ...page.props, dialog: null } }));
  const styles = await collectStyles(servers[0], pages, { isOffice, landing });
  const renamed = new Map();
  const themeData = (await isolate(servers[0])).themeData();
  const browsers = await Promise.all(languages.map((language) => bundleBrowser(dev, language, themeData)));
  for (const { files, stylesheet, landingStylesheet, officeStylesheet } of browsers) {
    for (const [index, file] of files.entries()) {
      const own = Buffer.from(file.contents).toString();
      const more = {
        [stylesheet]: styles.theme + styles.all,
        [landingStylesheet]: themeFor(styles.landing + own, styles.theme) + styles.landing,
        [officeStylesheet]: styles.office,
      }[file.name];
      if (more === undefined) continue;
      files[index] = extended(file, more);
      renamed.set(file.name, files[index].name);
    }
  }
  const [{ fonts }] = browsers;
  const stylesheet = renamed.get(browsers[0].stylesheet);
  const landingStylesheet = renamed.get(browsers[0].landingStylesheet);
  for (const route of browsers.flatMap(({ routes }) => Object.values(routes))) {
    route.styles = route.styles.map((name) => renamed.get(name));
  }
  const routes = Object.fromEntries(languages.map((language, index) => [language, browsers[index].routes]));
  // Names tell what is inside: what has no texts is the same file in every language.
  const files = new Map();
  for (const file of browsers.flatMap((browser) => browser.files)) {
    const same = files.get(file.name);
    if (same && Buffer.compare(same.contents, file.contents) !== 0) {
      throw new Error(`${file.name} is two different files`);
    }
    files.set(file.name, file);
  }
  await mkdir(join(out, 'assets'), { recursive: true });
  const assets = await Promise.all(
    [...files.values()].map(async (file) => {
      const kept = await encodings(file, dev);
      for (const [suffix, contents] of Object.entries(kept)) {
        await writeFile(join(out, 'assets', file.name + suffix), contents);
      }
      const type = contentTypes[file.name.split('.').at(-1)];
      if (!type) throw new Error(`${file.name}: what content type is it?`);
      return { name: file.name, type, compressed: '.br' in kept };
    }),
  );
  for (const [index, language] of languages.entries()) {
    // The renderer is told what the stylesheets have.
    const told = `\n;know(${JSON.stringify(styles.names)});`;
    await writeFile(join(out, `ssr.${language}.js`), Buffer.concat([servers[index], Buffer.from(told)]));
  }
  const manifest = JSON.stringify({ stylesheet, landingStylesheet, fonts, routes, assets }, null, 2);
  await writeFile(join(out, 'manifest.json.new'), manifest);
  await rename(join(out, 'manifest.json.new'), join(out, 'manifest.json'));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [out, mode] = argv.slice(2);
  await rm(out, { recursive: true, force: true });
  // esbuild has told what is wrong.
  await bundle(out, { dev: mode === '--dev' }).catch((error) => {
    if (!error.errors) throw error;
    exit(1);
  });
}
