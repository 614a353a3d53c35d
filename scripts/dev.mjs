// Keeps target/dev-assets up to date while one works on the pages; the server of a development run reads them
// there (MATRICULA_DEV_ASSETS). Every saved file is a new build, which takes well under a second.
//
//   node scripts/dev.mjs [OUT_DIR]
import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = argv[2] ?? join(root, 'target/dev-assets');
/** Milliseconds; an editor may write a file in several steps. */
const SETTLE = 30;

let timer;
let building = Promise.resolve();

async function build() {
  const start = performance.now();
  try {
    await bundle(out, { dev: true });
    stdout.write(`bundled in ${Math.round(performance.now() - start)} ms\n`);
  } catch (error) {
    // esbuild has told what is wrong; the next save is another chance.
    if (!error.errors) throw error;
  }
}

await rm(out, { recursive: true, force: true });
await build();
for (const folder of ['client', 'ssr']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => (building = building.then(build)), SETTLE);
  });
}
