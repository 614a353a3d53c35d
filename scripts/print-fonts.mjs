// Makes src/pdf/fonts: the fonts that PDFs are set in, as TrueType, in the order in which they are tried for a letter.
// Nothing is left out of them: a name may need any letter, and a PDF gets only those that it uses. Run by hand when a font
// changes; the results are committed.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fontverter = createRequire(import.meta.url)('fontverter');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'src/pdf/fonts');

const fonts = [
  ['pt-serif', ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext'], 400],
  ['public-sans', ['latin', 'latin-ext', 'vietnamese'], 600],
  ['noto-sans', ['vietnamese', 'greek', 'greek-ext', 'devanagari'], 400],
  ['noto-sans-arabic', ['arabic'], 400],
  ['noto-sans-hebrew', ['hebrew'], 400],
];

await mkdir(target, { recursive: true });
for (const [family, scripts, weight] of fonts) {
  const folder = join(root, 'node_modules/@fontsource', family);
  for (const script of scripts) {
    const source = await readFile(join(folder, `files/${family}-${script}-${weight}-normal.woff2`));
    await writeFile(join(target, `${family}-${script}.ttf`), await fontverter.convert(source, 'truetype'));
  }
  await copyFile(join(folder, 'LICENSE'), join(target, `${family}.OFL.txt`));
}
