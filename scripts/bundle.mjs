// Bundles what the binary embeds: the server-side renderer and the browser's chunks, once per language, the stylesheets
// and the fonts, with a manifest that src/pages/assets.rs reads. Called by src/pages/build.rs, and by scripts/dev.mjs
// with `dev` (React's development build for the browser, source maps, no compression).
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
import { modules } from './modules.mjs';
import { samplePages } from './samples.mjs';
import { collectStyles, stylesOf } from './styles.mjs';
import { catalogueOf, languages as translations } from './texts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** URL path under which the server serves these files. */
const PUBLIC_PATH = '/assets';
/** The only page that starts without React: its script fetches the entry when the user is about to interact. */
const LANDING_ROUTE = 'apply';
/** Prefix of the office's routes, which load an additional stylesheet. */
const OFFICE_ROUTES = 'admin';
/** Fonts needed above the fold. */
const PRELOADED_FONTS = ['pt-serif-400', 'public-sans-600'];

/** The first is the source language of all texts. */
export const languages = ['en', ...translations];

/** Our modules that the browser loads on demand. Each also imports what most of them share. */
const LAZY =
  /^client\/(applicant|office|routes\/[\w-]+|features\/(application\/(section-form|sent-application)|auth\/auth-dialog)|ui\/(account-menu|leave-dialog|loading-lines|office-key-sheet|office-palette|office-panel|time-zone-choice))\.tsx$/;
/** Those that show an application's answers. */
const WITH_ANSWERS =
  /\/(application|check|past-application|admin-questionnaire-preview|section-form|sent-application)\.tsx$/;

function withShared(name) {
  if (!LAZY.test(name)) return '';
  const shared = ['client/shared'];
  if (WITH_ANSWERS.test(name)) shared.push('client/features/application/shared');
  return shared.map((path) => `\nimport ${JSON.stringify(join(root, path))};`).join('');
}

const common = (language = 'en') => ({
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  target: 'es2022',
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
  define: {
    'process.env.NODE_ENV': '"production"',
    LANGUAGE: JSON.stringify(language),
  },
});

const contexts = new Map();
/** Contexts outlive the theme they were created with, so they read it from here. */
const current = {};

/**
 * Returns esbuild's output. In development the context of a `key` is kept, so that a rebuild reads only what has
 * changed.
 */
async function bundled(key, dev, options) {
  if (!dev) return esbuild.build(options);
  if (!contexts.has(key)) contexts.set(key, await esbuild.context(options));
  return contexts.get(key).rebuild();
}

/** A single classic script for a bare isolate. */
const server = (entry, language) => ({
  ...common(language),
  entryPoints: [entry],
  outfile: 'ssr.js',
  platform: 'neutral',
  format: 'iife',
  mainFields: ['module', 'main'],
  conditions: ['worker', 'module'],
  // Loaded by the browser when a file is uploaded.
  external: ['tus-js-client'],
  minifySyntax: true,
  minifyWhitespace: true,
});

/** The translations that replace the English texts. */
const catalogue = (language) => () => (language === 'en' ? {} : catalogueOf(language));

/**
 * The string renderer alone. The package's own entries include a streaming one, which is twice the code and needs
 * MessageChannel or TextEncoder.
 */
const stringRenderer = join(root, 'node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js');

/**
 * Returns the renderer as bytes. `stock` uses emotion itself with Material UI, as documented: tests and benchmarks
 * compare with it. With `themeData` it uses the browser's reduced Material UI.
 */
export async function bundleServer(language = 'en', options = {}) {
  return (await builtServer(language, options)).contents;
}

async function builtServer(language, { stock = false, templated = !stock, themeData, dev = false }) {
  const engine = stock ? {} : { '@mui/styled-engine': join(root, 'ssr/styled-engine.tsx') };
  const { outputFiles, metafile } = await bundled(`server ${language}`, dev, {
    ...server(stock ? 'ssr/stock-entry.tsx' : 'ssr/entry.tsx', language),
    alias: { 'react-dom/server': stringRenderer, ...engine },
    plugins: [
      ...(templated ? [templates] : []),
      ...(themeData ? [lean(() => themeData)] : []),
      texts({ language, catalogue: catalogue(language) }),
    ],
  });
  return { contents: outputFiles[0].contents, inputs: metafile.inputs };
}

/** Components that are templates on the server replace those in client/ui, except for each other. */
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

/**
 * React's development build, which warns of errors on a page. Everything else is as in production: development names of
 * Material UI and emotion would become part of class names, which the server has already generated.
 */
const warnings = {
  name: 'warnings',
  setup(build) {
    build.onLoad(
      { filter: /\/node_modules\/(react|react-dom|scheduler)\/(cjs\/)?[\w.-]+\.js$/ },
      async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replaceAll('process.env.NODE_ENV', '"development"'),
        loader: 'js',
      }),
    );
  },
};

/** Bundles the browser's side in one language: hashed files, and what the documents of each route have to load. */
async function bundleBrowser(dev, language, themeData) {
  current.themeData = themeData;
  const { outputFiles, metafile } = await bundled(`browser ${language}`, dev, {
    ...common(language),
    plugins: [
      lean(() => current.themeData),
      texts({ language, catalogue: catalogue(language), after: withShared }),
      ...(dev ? [warnings] : []),
    ],
    entryPoints: ['client/entry.tsx', 'client/landing.ts', ...(dev ? ['client/dev-reload.ts'] : [])],
    outdir: 'assets',
    outbase: 'client',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    publicPath: PUBLIC_PATH,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    minify: !dev,
    sourcemap: dev ? 'linked' : false,
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
  for (const { entryPoint } of outputs) {
    if (/^client\/\w+\//.test(entryPoint) && !LAZY.test(entryPoint))
      throw new Error(`scripts/bundle.mjs does not know that ${entryPoint} is lazy`);
  }
  /** Returns the lazily imported page parts of the given files: by name, the files that each adds. */
  const partsIn = (loaded) => {
    const imports = loaded.flatMap((path) => metafile.outputs[path].imports);
    const lazy = imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path);
    const isPart = (path) => metafile.outputs[path]?.entryPoint?.startsWith('client/features/');
    const files = (path) => [...withImports(path)].filter((file) => !loaded.includes(file));
    const named = (path) => [
      basename(metafile.outputs[path].entryPoint, '.tsx'),
      files(path).map((file) => basename(file)),
    ];
    return Object.fromEntries(lazy.filter(isPart).map(named));
  };

  const routes = {};
  for (const { entryPoint } of outputs) {
    if (!entryPoint?.startsWith('client/routes/')) continue;
    const route = basename(entryPoint, '.tsx').replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    const preloads = withImports(entry);
    withImports(fromSource(entryPoint).path, preloads);
    // A crash replaces the layout too.
    if (route !== 'crash') {
      const layout = route.startsWith(OFFICE_ROUTES) ? 'office' : 'applicant';
      withImports(fromSource(`client/${layout}.tsx`).path, preloads);
    }
    preloads.delete(entry);
    routes[route] = {
      scripts: [basename(entry)],
      preloads: [...preloads].map((path) => basename(path)),
      parts: partsIn([entry, ...preloads]),
    };
  }
  const { scripts, preloads } = routes[LANDING_ROUTE];
  routes[LANDING_ROUTE] = {
    scripts: [basename(fromSource('client/landing.ts').path)],
    preloads: [],
    // Its script fetches all of this at once if the document comes with a dialog.
    parts: { 'auth-dialog': [...scripts, ...preloads] },
  };
  const built = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  return {
    files: await Promise.all(built.map((file) => (dev ? file : smaller(file)))),
    routes,
    ...(dev ? { reload: basename(fromSource('client/dev-reload.ts').path) } : {}),
  };
}

/** Bundles our own stylesheets, by name, and the fonts. */
async function bundleStyles(dev) {
  const { outputFiles } = await bundled('styles', dev, {
    ...common(),
    entryPoints: ['index', 'landing', 'office'].map((name) => `client/theme/${name}.css`),
    outdir: 'assets',
    entryNames: '[name]',
    assetNames: '[name]-[hash]',
    publicPath: PUBLIC_PATH,
    loader: { '.woff2': 'file' },
    minify: !dev,
  });
  const files = outputFiles.map(({ path, contents, text }) => ({ name: basename(path), contents, text }));
  const isFont = ({ name }) => name.endsWith('.woff2');
  const sheets = files
    .filter((file) => !isFont(file))
    .map(({ name, text }) => [basename(name, '.css'), text]);
  return { sheets: Object.fromEntries(sheets), fonts: files.filter(isFont) };
}

const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  map: 'application/json',
  woff2: 'font/woff2',
};

/** Encodings of a file, by suffix. Fonts are compressed already. */
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

/** Length in characters from which a script asks for eager compilation: that of React, the router and Material UI. */
const LARGE = 100_000;
/**
 * Chromium compiles such a script as a whole while it loads, off the main thread: most of it runs immediately, and
 * would be parsed a second time there. Other browsers treat it as a comment.
 */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad';

/** Minifies a script further than esbuild, by a thirtieth. */
async function smaller({ name, contents }) {
  const { code } = await minify(Buffer.from(contents).toString(), {
    module: true,
    ecma: 2022,
    compress: { passes: 3 },
    mangle: true,
  });
  return { name, contents: Buffer.from(code.length > LARGE ? `${COMPILE_AHEAD}\n${code}` : code) };
}

/** Returns a stylesheet with a hash in its name. */
function hashed(name, text) {
  const contents = Buffer.from(text);
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  return { name: `${name}-${hash}.css`, contents };
}

/** Results of earlier builds in a development run, which the next one reuses as far as they are still valid. */
const run = { modules: modules(root), servers: {}, browsers: {}, styles: {}, written: new Map() };

/**
 * Writes `out/ssr.LANGUAGE.js`, the files in `out/assets`, and last `out/manifest.json`, which names them. In
 * development a later build may be of one language only: the others stay as they were, and so do the stylesheets if the
 * first language is not among them.
 */
export async function bundle(out, { dev = false, only = languages } = {}) {
  const made = dev ? run : { servers: {}, browsers: {} };
  const start = Date.now();
  const browsersWith = (themeData) =>
    all(only.map(async (language) => [language, await bundleBrowser(dev, language, themeData)]));
  // The theme rarely changes, so the browser bundles need not wait for it.
  const before = made.sheets?.themeData;
  const [, early] = await all([ofServer(made, only, dev, start), before && browsersWith(before)]);
  const isSame = JSON.stringify(before) === JSON.stringify(made.sheets.themeData);
  const browsers = early && isSame ? early : await browsersWith(made.sheets.themeData);
  Object.assign(made.browsers, Object.fromEntries(browsers));
  await write(out, dev, made);
}

/** Waits until all have settled: what esbuild is still doing when the next build begins would be mixed up with it. */
async function all(promises) {
  const settled = await Promise.allSettled(promises);
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map(({ value }) => value);
}

/** Builds the renderers and, along with the first language's, the stylesheets. */
async function ofServer(made, only, dev, start) {
  const built = await all(only.map((language) => builtServer(language, { dev })));
  for (const [index, language] of only.entries()) made.servers[language] = built[index].contents;
  const first = built[only.indexOf(languages[0])];
  if (!first) return;
  made.modules?.note(first.inputs, start);
  made.sheets = await stylesheets(dev, made);
}

const isOffice = (route) => route.startsWith(OFFICE_ROUTES);

/** Builds the stylesheets and fonts, and returns what the server and the browser have to know of them. */
async function stylesheets(dev, { servers, modules: known, styles }) {
  const pages = samplePages();
  const own = await bundleStyles(dev);
  // As cached: for a signed-out visitor, and without a dialog.
  const landingPages = pages
    .filter(({ route }) => route === LANDING_ROUTE)
    .map((page) => ({
      ...page,
      shared: { ...page.shared, viewer: null },
      props: { ...page.props, action: 'register', dialog: null },
    }));
  const parts = await collectStyles(servers[languages[0]], pages, {
    isOffice,
    landing: landingPages,
    versionOf: known?.versionOf,
    kept: styles,
  });
  // Our rules come last and override equally specific ones.
  const { css, leftOut } = stylesOf(parts.landing.html, parts.theme + parts.landing.css + own.sheets.landing);
  return {
    index: hashed('index', parts.theme + parts.all + own.sheets.index),
    office: hashed('office', parts.office + own.sheets.office),
    landing: hashed('landing', css),
    leftOut,
    fonts: own.fonts,
    names: parts.names,
    themeData: parts.themeData,
  };
}

async function write(out, dev, { servers, browsers, sheets, written = new Map() }) {
  const routes = {};
  // Names are content hashes: a file without texts is the same in every language.
  const files = new Map();
  for (const file of [sheets.index, sheets.office, sheets.landing, ...sheets.fonts])
    files.set(file.name, file);
  for (const language of languages) {
    for (const file of browsers[language].files) {
      const same = files.get(file.name);
      if (same && Buffer.compare(same.contents, file.contents) !== 0) {
        throw new Error(`${file.name} is two different files`);
      }
      files.set(file.name, file);
    }
    for (const [route, loads] of Object.entries(browsers[language].routes)) {
      loads.styles = isOffice(route) ? [sheets.office.name] : [];
    }
    routes[language] = browsers[language].routes;
  }
  /** Unchanged files are not rewritten. */
  const writeOnce = async (name, contents) => {
    const path = join(out, name);
    const before = written.get(path);
    if (before && Buffer.compare(before, contents) === 0) return;
    await writeFile(path, contents);
    written.set(path, contents);
  };
  await mkdir(join(out, 'assets'), { recursive: true });
  const assets = await Promise.all(
    [...files.values()].map(async (file) => {
      const kept = await encodings(file, dev);
      for (const [suffix, contents] of Object.entries(kept)) {
        await writeOnce(join('assets', file.name + suffix), contents);
      }
      const type = contentTypes[file.name.split('.').at(-1)];
      if (!type) throw new Error(`${file.name}: what content type is it?`);
      return { name: file.name, type, compressed: '.br' in kept };
    }),
  );
  // Tells the renderer which classes are in the stylesheets.
  const told = Buffer.from(`\n;know(${JSON.stringify(sheets.names)});`);
  const renderers = languages.map((language) => Buffer.concat([servers[language], told]));
  for (const [index, language] of languages.entries())
    await writeOnce(`ssr.${language}.js`, renderers[index]);
  const fonts = PRELOADED_FONTS.map((font) =>
    sheets.fonts.find(({ name }) => new RegExp(`^${font}-[^-]+$`).test(name)),
  );
  /** A hash of what the pages of each language are made of. */
  const stamps = () => {
    const shared = [sheets.index.name, sheets.office.name, sheets.landing.name];
    const stamp = (language, index) => {
      const hash = createHash('sha256').update(JSON.stringify([shared, routes[language]]));
      return `${language}-${hash.update(renderers[index]).digest('hex').slice(0, 16)}`;
    };
    return Object.fromEntries(languages.map((language, index) => [language, stamp(language, index)]));
  };
  const manifest = {
    stylesheet: sheets.index.name,
    landing: { stylesheet: sheets.landing.name, leftOut: sheets.leftOut },
    fonts: fonts.map(({ name }) => name),
    routes,
    ...(dev && { reload: { script: browsers[languages[0]].reload, stamps: stamps() } }),
    assets,
  };
  await writeFile(join(out, 'manifest.json.new'), JSON.stringify(manifest, null, 2));
  await rename(join(out, 'manifest.json.new'), join(out, 'manifest.json'));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [out, mode] = argv.slice(2);
  await rm(out, { recursive: true, force: true });
  // esbuild has already reported the error.
  await bundle(out, { dev: mode === '--dev' }).catch((error) => {
    if (!error.errors) throw error;
    exit(1);
  });
  // esbuild's contexts would keep the process alive.
  exit();
}
