// Bundles what the binary embeds: the server-side renderer, the browser's chunks, the stylesheet and the
// fonts, with a manifest that src/pages/assets.rs reads. Called by build.rs, and by scripts/dev.mjs with
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
import { templates } from './templates.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Where the server answers with these files. */
const PUBLIC_PATH = '/assets';
/** The one page that starts without React: its script fetches the entry when somebody is about to use it. */
const LANDING_ROUTE = 'apply';
/** Fonts of what is seen first. */
const PRELOADED_FONTS = ['pt-serif-400', 'public-sans-600'];

const common = (dev) => ({
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  target: 'es2022',
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': dev ? '"development"' : '"production"' },
});

/** One classic script for a bare isolate. It is always React's production build. */
const server = (entry) => ({
  ...common(false),
  entryPoints: [entry],
  outfile: 'ssr.js',
  platform: 'neutral',
  format: 'iife',
  mainFields: ['module', 'main'],
  conditions: ['worker', 'module'],
  minifySyntax: true,
  minifyWhitespace: true,
});

/** The renderer. */
export async function bundleServer() {
  const { outputFiles } = await esbuild.build({
    ...server('ssr/entry.tsx'),
    alias: { 'react/jsx-runtime': join(root, 'ssr/jsx-runtime.ts') },
    plugins: [templates(join(root, 'ssr/template.ts'))],
  });
  return outputFiles[0].contents;
}

/** The same screens, rendered by React itself: what tests and benchmarks compare with. */
export async function bundleReactServer() {
  const { outputFiles } = await esbuild.build({
    ...server('ssr/react-entry.tsx'),
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

/** The browser's side: hashed files, and by route what a document has to load. */
async function bundleBrowser(dev) {
  const { outputFiles, metafile } = await esbuild.build({
    ...common(dev),
    entryPoints: [
      'client/entry.tsx',
      'client/landing.ts',
      'client/theme/index.css',
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
    routes[route] = { scripts: [basename(entry)], preloads: [...preloads].map((path) => basename(path)) };
  }
  routes[LANDING_ROUTE] = { scripts: [basename(fromSource('client/landing.ts').path)], preloads: [] };
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

/** Writes `out/manifest.json`, last, beside `out/ssr.js` and the files it names in `out/assets`. */
export async function bundle(out, { dev = false } = {}) {
  const [ssr, { files, stylesheet, routes, fonts }] = await Promise.all([bundleServer(), bundleBrowser(dev)]);
  await mkdir(join(out, 'assets'), { recursive: true });
  const assets = await Promise.all(
    files.map(async (file) => {
      const kept = await encodings(file, dev);
      for (const [suffix, contents] of Object.entries(kept)) {
        await writeFile(join(out, 'assets', file.name + suffix), contents);
      }
      const type = contentTypes[file.name.split('.').at(-1)];
      if (!type) throw new Error(`${file.name}: what content type is it?`);
      return { name: file.name, type, compressed: '.br' in kept };
    }),
  );
  await writeFile(join(out, 'ssr.js'), ssr);
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
