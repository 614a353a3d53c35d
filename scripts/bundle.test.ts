import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** A copy of what is bundled, to be changed. */
const copy = mkdtempSync(join(tmpdir(), 'matricula-bundle-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** One save after the other: the file, what is in it, and what takes its place. */
const saves: [file: string, before: string, after: string][] = [
  ['client/features/dashboard/dashboard-page.tsx', '<h1>Your admission</h1>', '<h1>Your way</h1>'],
  // One look of a part, of which each page after has another class.
  ['client/theme/parts/panel.ts', "padding: '1rem 1.25rem 1.25rem'", "padding: '1rem 1.25rem 3rem'"],
  // A part of the office alone becomes one of applicants' screens too: its rules go into the other stylesheet.
  [
    'client/features/messages/messages-page.tsx',
    'export function MessagesPage',
    "import { BulkPaper } from '../../theme/parts/bulk-bar';\nexport function MessagesPage(props: MessagesProps) {\n  return <BulkPaper><Before {...props} /></BulkPaper>;\n}\nfunction Before",
  ],
  ['client/theme/tokens.ts', "'#572626'", "'#572627'"],
  ['client/theme/office.css', 'gap: 2rem;', 'gap: 2.25rem;'],
  ['texts/es.json', '"Your documents": "', '"Your documents": "¡'],
];

/** Everything that a build names, by where it is. */
function built(out: string) {
  const text = (name: string) => readFileSync(join(out, name), 'latin1');
  const manifest = JSON.parse(text('manifest.json')) as { assets: { name: string }[] };
  const files = ['ssr.en.js', 'ssr.es.js', ...manifest.assets.map(({ name }) => `assets/${name}`)];
  return { manifest, files: Object.fromEntries(files.map((name) => [name, text(name)])) };
}

const run = (script: string) =>
  execFileSync('node', ['--input-type=module', '--eval', script], { cwd: copy, stdio: 'inherit' });

test('after every save a development run has what a fresh build makes', () => {
  for (const name of ['client', 'ssr', 'texts', 'scripts', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const sources = new Map(saves.map(([file]) => [file, readFileSync(join(copy, file), 'utf8')]));
  const steps = saves.map(([file, before, after]) => {
    const source = sources.get(file)!;
    expect(source, file).toContain(before);
    return [file, source.replace(before, after)];
  });
  // One process, as scripts/dev.mjs is, with a folder for each state.
  run(`
    import { cpSync, writeFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { bundle, languages } from './scripts/bundle.mjs';
    await sleep(50);
    await bundle('dev', { dev: true });
    for (const [index, [file, text]] of ${JSON.stringify(steps)}.entries()) {
      writeFileSync(file, text);
      await sleep(50);
      for (const language of languages) await bundle('dev', { dev: true, only: [language] });
      cpSync('dev', 'after-' + index, { recursive: true });
    }
    process.exit();
  `);
  for (const [file, source] of sources) writeFileSync(join(copy, file), source);
  for (const [index, [file, text]] of steps.entries()) {
    writeFileSync(join(copy, file!), text!);
    run(`
      import { bundle } from './scripts/bundle.mjs';
      await bundle('fresh-${index}', { dev: true });
      process.exit();
    `);
    const [kept, fresh] = [built(join(copy, `after-${index}`)), built(join(copy, `fresh-${index}`))];
    expect(kept.manifest, file).toEqual(fresh.manifest);
    const differing = Object.keys(fresh.files).filter((name) => kept.files[name] !== fresh.files[name]);
    expect(differing, file).toEqual([]);
  }
});
