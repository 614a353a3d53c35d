// A development run: serves the product, and brings every saved file of client/ and ssr/ to the page, rendered on
// the server too, without compiling Rust. The binary reads the bundles from target/dev-assets
// (MATRICULA_DEV_ASSETS), where this keeps them up to date.
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
/** Milliseconds; an editor may write a file in several steps. */
const SETTLE = 30;
/** Milliseconds that a page takes to load. */
const PAUSE = 600;

/** Whether there are new bundles, of some languages. */
async function build(only) {
  const start = performance.now();
  try {
    await bundle(out, { dev: true, only });
  } catch (error) {
    // esbuild has told what is wrong; the next save is another chance.
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
/** Brings what was saved to the pages of the first language, and to the others when their pages have had time to load. */
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
    // Each takes new bundles before it renders.
    MATRICULA_ISOLATES: '1',
    ...env,
    MATRICULA_DEV_ASSETS: out,
  },
});
server.on('exit', (code) => exit(code ?? 1));
// The terminal tells the server too; this ends after it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
