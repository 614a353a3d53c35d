// Bundles what the binary embeds: the server-side renderer and the browser's chunks, once for each language, the
// stylesheet and the fonts, with a manifest that src/pages/assets.rs reads. Called by build.rs, and by scripts/dev.mjs with
// `dev` (React's development build for the browser, source maps, nothing compressed).
//
//   node scripts/bundle.mjs OUT_DIR [--dev]
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as esbuild from 'esbuild';
import { texts } from './messages.mjs';
import { withTemplates } from './templates.mjs';
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

/** The renderer. */
export async function bundleServer(language = 'en') {
  const runtime = join(root, 'ssr/template.ts');
  const after = (source, name) => withTemplates(source, { name, runtime });
  const { outputFiles } = await esbuild.build({
    ...server('ssr/entry.tsx', language),
    alias: { 'react/jsx-runtime': join(root, 'ssr/jsx-runtime.ts') },
    plugins: [texts({ language, catalogue: catalogue(language), after })],
  });
  return outputFiles[0].contents;
}

/** The same screens, rendered by React itself: what tests and benchmarks compare with. */
export async function bundleReactServer(language = 'en') {
  const { outputFiles } = await esbuild.build({
    ...server('ssr/react-entry.tsx', language),
    plugins: [texts({ language, catalogue: catalogue(language) })],
    // The string renderer alone. The package's own entries bring a streaming one along, which is twice the
    // code and wants MessageChannel or TextEncoder.
    alias: {
      'react-dom/server': join(
        root,
        'node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js',
      ),
    },
  });
  return outputFiles[0].contents;
}

/** The browser's side in one language: hashed files, and by route what a document has to load. */
async function bundleBrowser(dev, language) {
  const { outputFiles, metafile } = await esbuild.build({
    ...common(dev, language),
    plugins: [texts({ language, catalogue: catalogue(language) })],
    entryPoints: [
      'client/entry.tsx',
      'client/landing.ts',
      'client/theme/index.css',
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
  return {
    files: outputFiles.map(({ path, contents }) => ({ name: basename(path), contents })),
    stylesheet: basename(fromSource('client/theme/index.css').path),
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

/** Writes `out/manifest.json`, last, beside `out/ssr.LANGUAGE.js` and the files it names in `out/assets`. */
export async function bundle(out, { dev = false } = {}) {
  const servers = await Promise.all(languages.map(bundleServer));
  const browsers = await Promise.all(languages.map((language) => bundleBrowser(dev, language)));
  const [{ stylesheet, fonts }] = browsers;
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
    await writeFile(join(out, `ssr.${language}.js`), servers[index]);
  }
  const manifest = JSON.stringify({ stylesheet, fonts, routes, assets }, null, 2);
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
