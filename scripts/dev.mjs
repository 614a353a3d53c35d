// A development run: serves the product, and brings every saved file of client/ and ssr/ to the page, also rendered on
// the server, without compiling Rust. The binary reads the bundles from target/dev-assets (MATRICULA_DEV_ASSETS), which
// this script keeps up to date.
//
//   node scripts/dev.mjs BINARY
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import process, { argv, env, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundle, languages } from './bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'target/dev-assets');
/** In milliseconds; an editor may write a file in several steps. */
const SETTLE = 30;
/** Milliseconds that a page takes to load. */
const PAUSE = 600;

/** Builds the bundles of some languages. Returns whether that succeeded. */
async function build(only) {
  const start = performance.now();
  try {
    await bundle(out, { dev: true, only });
  } catch (error) {
    // esbuild has already reported the error; the next save is another chance.
    if (!error.errors) throw error;
    return false;
  }
  stdout.write(`bundled ${only.join(', ')} in ${Math.round(performance.now() - start)} ms\n`);
  return true;
}

await rm(out, { recursive: true, force: true });
if (!(await build(languages))) exit(1);

const [first, ...others] = languages;
let isStale = false;
let isBuilding = false;
/** Brings saved changes to pages of the first language, and to the others once those pages have had time to load. */
async function follow() {
  if (isBuilding) return;
  isBuilding = true;
  while (isStale) {
    isStale = false;
    if (!(await build([first]))) continue;
    await sleep(PAUSE);
    if (!isStale) await build(others);
  }
  isBuilding = false;
}

let timer;
for (const folder of ['client', 'ssr', 'texts']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isStale = true;
      void follow();
    }, SETTLE);
  });
}

const server = spawn(argv[2], {
  stdio: 'inherit',
  env: {
    MATRICULA_DEVELOPMENT: 'true',
    MATRICULA_LOG_FORMAT: 'text',
    // Each isolate loads new bundles before it renders.
    MATRICULA_ISOLATES: '1',
    ...env,
    MATRICULA_DEV_ASSETS: out,
  },
});
server.on('exit', (code) => exit(code ?? 1));
// The terminal also signals the server; this process ends after it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
