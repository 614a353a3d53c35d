// Generates src/pdf/fonts: the fonts for PDFs. Those that every document needs are separate files; all others are in
// `scripts.zip`, in the order in which they are tried for a character, and read when a text needs them. Chinese and
// Korean are split into pieces of 256 characters, so that a name reads three of them instead of ten megabytes. Nothing
// is left out: a name may need any character, and a PDF embeds only those that it uses.
//
// Run by hand when a font changes, then run the tests once with UPDATE_DOCS=1, which records the available characters;
// the results are committed. The packages are large and only needed here, so they are not dependencies of the product.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const fontverter = require('fontverter');
const subsetFont = require('subset-font');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'src/pdf/fonts');
const packages = join(root, 'target/print-fonts');

const FONTSOURCE = '5.3.0';
const EXPO = { 'noto-sans-sc': '0.4.3', 'noto-sans-kr': '0.4.3', 'noto-emoji': '0.4.7' };
const FFLATE = '0.8.2';

/** A file for each subset: available for every document. */
const ATHAND = [
  ['pt-serif', ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext'], 400],
  ['public-sans', ['latin', 'latin-ext', 'vietnamese'], 600],
  ['noto-sans', ['vietnamese', 'greek', 'greek-ext'], 400],
];

/** Read on demand, each as a whole. */
const WHOLE = [
  ['noto-sans-arabic', 'arabic'],
  ['noto-sans-hebrew', 'hebrew'],
  ['noto-sans', 'devanagari', 'noto-sans-devanagari'],
  ['noto-sans-bengali', 'bengali'],
  ['noto-sans-gurmukhi', 'gurmukhi'],
  ['noto-sans-gujarati', 'gujarati'],
  ['noto-sans-oriya', 'oriya'],
  ['noto-sans-tamil', 'tamil'],
  ['noto-sans-telugu', 'telugu'],
  ['noto-sans-kannada', 'kannada'],
  ['noto-sans-malayalam', 'malayalam'],
  ['noto-sans-sinhala', 'sinhala'],
  ['noto-sans-thai', 'thai'],
  ['noto-sans-lao', 'lao'],
  ['noto-sans-khmer', 'khmer'],
  ['noto-sans-myanmar', 'myanmar'],
  ['noto-serif-tibetan', 'tibetan'],
  ['noto-sans-georgian', 'georgian'],
  ['noto-sans-armenian', 'armenian'],
  ['noto-sans-ethiopic', 'ethiopic'],
  ['noto-sans-thaana', 'thaana'],
  ['noto-sans-syriac', 'syriac'],
  ['noto-sans-mongolian', 'mongolian'],
  ['noto-sans-tifinagh', 'tifinagh'],
  ['noto-sans-nko', 'nko'],
  ['noto-sans-adlam', 'adlam'],
  ['noto-sans-cherokee', 'cherokee'],
  ['noto-sans-canadian-aboriginal', 'canadian-aboriginal'],
  ['noto-sans-javanese', 'javanese'],
  ['noto-sans-ol-chiki', 'ol-chiki'],
];

/** Split into pieces of 256 characters. */
const CUT = [
  ['noto-sans-sc', 'NotoSansSC'],
  ['noto-sans-kr', 'NotoSansKR', (code) => isHangul(code)],
];

/** Symbols and emoji, tried last. */
const SIGNS = [
  ['noto-sans-math', 'latin'],
  ['noto-sans-symbols', 'symbols'],
  ['noto-sans-symbols-2', 'symbols'],
];

function isHangul(code) {
  return (
    (code >= 0x1100 && code < 0x1200) ||
    (code >= 0x3130 && code < 0x3190) ||
    (code >= 0xa960 && code < 0xa980) ||
    (code >= 0xac00 && code < 0xd800)
  );
}

const fontsource = (family) => join(packages, 'node_modules/@fontsource', family);
const expo = (family) => join(packages, 'node_modules/@expo-google-fonts', family);

async function subset(family, name, weight = 400) {
  const source = await readFile(join(fontsource(family), `files/${family}-${name}-${weight}-normal.woff2`));
  return fontverter.convert(source, 'truetype');
}

async function fetchPackages() {
  const families = new Set([...ATHAND, ...WHOLE, ...SIGNS].map(([family]) => family));
  await mkdir(packages, { recursive: true });
  await writeFile(join(packages, 'package.json'), '{"private":true}');
  execFileSync(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      `fflate@${FFLATE}`,
      ...[...families].map((family) => `@fontsource/${family}@${FONTSOURCE}`),
      ...Object.entries(EXPO).map(([family, version]) => `@expo-google-fonts/${family}@${version}`),
    ],
    { cwd: packages, stdio: 'inherit' },
  );
}

/** Returns the non-empty pieces of a large font, by name. */
async function cut(family, file, wants = () => true) {
  const source = await readFile(join(expo(family), `400Regular/${file}_400Regular.ttf`));
  const pieces = {};
  // From U+1100 to the end of the first plane, then U+20000 to U+323FF.
  const starts = [];
  for (let start = 0x1100; start < 0x10000; start += 256) starts.push(start);
  for (let start = 0x20000; start < 0x32400; start += 256) starts.push(start);
  for (const start of starts) {
    let letters = '';
    for (let code = start; code < start + 256; code += 1) {
      const isSurrogate = code >= 0xd800 && code < 0xe000;
      const isPrivate = code >= 0xe000 && code < 0xf900;
      if (!isSurrogate && !isPrivate && wants(code)) letters += String.fromCodePoint(code);
    }
    if (letters === '') continue;
    const piece = await subsetFont(source, letters, { targetFormat: 'truetype' });
    if (piece.length > 2200) pieces[`${family}-${start.toString(16)}`] = piece;
  }
  return pieces;
}

await fetchPackages();
await mkdir(target, { recursive: true });
for (const file of await readdir(target)) await rm(join(target, file));

for (const [family, subsets, weight] of ATHAND) {
  for (const name of subsets)
    await writeFile(join(target, `${family}-${name}.ttf`), await subset(family, name, weight));
  await copyFile(join(fontsource(family), 'LICENSE'), join(target, `${family}.OFL.txt`));
}

const fonts = {};
const texts = {};
for (const [family, name, called = family] of WHOLE) {
  fonts[called] = await subset(family, name);
  texts[family] = await readFile(join(fontsource(family), 'LICENSE'));
}
for (const [family, file, wants] of CUT) {
  Object.assign(fonts, await cut(family, file, wants));
  texts[family] = await readFile(join(expo(family), 'LICENSE_FONT'));
}
for (const [family, name] of SIGNS) {
  fonts[family] = await subset(family, name);
  texts[family] = await readFile(join(fontsource(family), 'LICENSE'));
}
fonts['noto-emoji'] = await readFile(join(expo('noto-emoji'), '400Regular/NotoEmoji_400Regular.ttf'));
texts['noto-emoji'] = await readFile(join(expo('noto-emoji'), 'LICENSE_FONT'));

const { zipSync } = createRequire(join(packages, 'package.json'))('fflate');
const entries = {};
for (const [name, font] of Object.entries(fonts)) entries[`${name}.ttf`] = font;
for (const [family, text] of Object.entries(texts)) entries[`${family}.OFL.txt`] = text;
const zip = zipSync(entries, { level: 9, mtime: '2026-01-01' });
await writeFile(join(target, 'scripts.zip'), zip);
stdout.write(`${Object.keys(fonts).length} fonts, ${(zip.length / 1e6).toFixed(1)} MB\n`);
