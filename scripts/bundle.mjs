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
import { collectStyles, isolate, stylesOf } from './styles.mjs';
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

/** Modules of ours that the browser imports when they are needed. Each brings along what most of them share. */
const LAZY =
  /^client\/(applicant|office|routes\/[\w-]+|features\/(application\/(section-form|sent-application)|auth\/auth-dialog)|ui\/(account-menu|leave-dialog|loading-lines|time-zone-choice))\.tsx$/;
/** Those that show an application's answers. */
const WITH_ANSWERS =
  /\/(application|check|past-application|admin-questionnaire-preview|section-form|sent-application)\.tsx$/;

function withShared(name) {
  if (!LAZY.test(name)) return '';
  const shared = ['client/ui/shared'];
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
/** Contexts outlive the theme that they were made with, so they read it here. */
const current = {};

/** esbuild's output. In development the context of a `key` is kept, so that a rebuild reads only what has changed. */
async function bundled(key, dev, options) {
  if (!dev) return esbuild.build(options);
  if (!contexts.has(key)) contexts.set(key, await esbuild.context(options));
  return contexts.get(key).rebuild();
}

/** One classic script for a bare isolate. */
const server = (entry, language) => ({
  ...common(language),
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
const catalogue = (language) => () => (language === 'en' ? {} : catalogueOf(language));

/** The string renderer alone. The package's own entries bring a streaming one along, which is twice the code and wants
 * MessageChannel or TextEncoder. */
const stringRenderer = join(root, 'node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js');

/** The renderer. `stock` has emotion itself behind Material UI, as its documentation has it: what tests and benchmarks
 * compare with. With `themeData` it has of Material UI what the browser has. */
export async function bundleServer(
  language = 'en',
  { stock = false, templated = !stock, themeData, dev = false } = {},
) {
  const engine = stock ? {} : { '@mui/styled-engine': join(root, 'ssr/styled-engine.tsx') };
  const { outputFiles } = await bundled(`server ${language}`, dev, {
    ...server(stock ? 'ssr/stock-entry.tsx' : 'ssr/entry.tsx', language),
    alias: { 'react-dom/server': stringRenderer, ...engine },
    plugins: [
      ...(templated ? [templates] : []),
      ...(themeData ? [lean(() => themeData)] : []),
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
    ...common(),
    entryPoints: ['ssr/samples.ts'],
    outfile: 'samples.js',
    platform: 'neutral',
    format: 'esm',
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  const { pages } = await import(`data:text/javascript;base64,${source}`);
  return pages;
}

/** React's development build, which warns of what is wrong on a page. All else is as in production: what Material UI and emotion
 * say of themselves otherwise is part of the names of their classes, which the server has made. */
const warnings = {
  name: 'warnings',
  setup(build) {
    build.onLoad(
      { filter: /\/node_modules\/(react|react-dom|scheduler)\/[\w-]+\.js$/ },
      async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replaceAll('process.env.NODE_ENV', '"development"'),
        loader: 'js',
      }),
    );
  },
};

/** The browser's side in one language: hashed files, and by route what a document has to load. */
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
  for (const { entryPoint } of outputs) {
    if (/^client\/\w+\//.test(entryPoint) && !LAZY.test(entryPoint))
      throw new Error(`scripts/bundle.mjs does not know that ${entryPoint} is lazy`);
  }
  /** What the given files may import later that is a part of a page, by its name: the files that it brings along. */
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
    // A crash takes the place of the layout too.
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
  routes[LANDING_ROUTE] = {
    scripts: [basename(fromSource('client/landing.ts').path)],
    preloads: [],
    parts: {},
  };
  if (dev) {
    const reload = basename(fromSource('client/dev-reload.ts').path);
    for (const { scripts } of Object.values(routes)) scripts.push(reload);
  }

  const built = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  return {
    files: await Promise.all(built.map((file) => (dev ? file : smaller(file)))),
    routes,
  };
}

/** Our own stylesheets by name, and the fonts. */
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

/** A stylesheet with its hash in its name. */
function hashed(name, text) {
  const contents = Buffer.from(text);
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  return { name: `${name}-${hash}.css`, contents };
}

/** Writes `out/manifest.json`, last, beside `out/ssr.LANGUAGE.js` and the files it names in `out/assets`. */
export async function bundle(out, { dev = false } = {}) {
  const [servers, pages, own] = await Promise.all([
    Promise.all(languages.map((language) => bundleServer(language, { dev }))),
    samplePages(),
    bundleStyles(dev),
  ]);
  const themeData = (await isolate(servers[0])).themeData();
  const browsers = Promise.all(languages.map((language) => bundleBrowser(dev, language, themeData)));

  const isOffice = (route) => route.startsWith(OFFICE_ROUTES);
  // As it is kept: for anybody, and with no dialog open.
  const landingPages = pages
    .filter(({ route, shared }) => route === LANDING_ROUTE && !shared.viewer)
    .map((page) => ({ ...page, props: { ...page.props, dialog: null } }));
  const parts = await collectStyles(servers[0], pages, { isOffice, landing: landingPages });
  // What says as much as ours gives way to it.
  const stylesheet = hashed('index', parts.theme + parts.all + own.sheets.index);
  const officeStylesheet = hashed('office', parts.office + own.sheets.office);
  const { css, leftOut } = stylesOf(parts.landing.html, parts.theme + parts.landing.css + own.sheets.landing);
  const landingStylesheet = hashed('landing', css);

  const routes = {};
  // Names tell what is inside: what has no texts is the same file in every language.
  const files = new Map();
  for (const file of [stylesheet, officeStylesheet, landingStylesheet, ...own.fonts])
    files.set(file.name, file);
  for (const [index, browser] of (await browsers).entries()) {
    for (const file of browser.files) {
      const same = files.get(file.name);
      if (same && Buffer.compare(same.contents, file.contents) !== 0) {
        throw new Error(`${file.name} is two different files`);
      }
      files.set(file.name, file);
    }
    for (const [route, loads] of Object.entries(browser.routes)) {
      loads.styles = isOffice(route) ? [officeStylesheet.name] : [];
    }
    routes[languages[index]] = browser.routes;
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
    const told = `\n;know(${JSON.stringify(parts.names)});`;
    await writeFile(join(out, `ssr.${language}.js`), Buffer.concat([servers[index], Buffer.from(told)]));
  }
  const fonts = PRELOADED_FONTS.map((font) =>
    own.fonts.find(({ name }) => new RegExp(`^${font}-[^-]+$`).test(name)),
  );
  const manifest = {
    stylesheet: stylesheet.name,
    landing: { stylesheet: landingStylesheet.name, leftOut },
    fonts: fonts.map(({ name }) => name),
    routes,
    assets,
  };
  await writeFile(join(out, 'manifest.json.new'), JSON.stringify(manifest, null, 2));
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
  // esbuild's contexts would keep the process alive.
  exit();
}
