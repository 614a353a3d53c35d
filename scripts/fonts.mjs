// Generates client/theme/fonts: the product's fonts, subset to the characters it uses, and prints the metric overrides
// that make the fallback system fonts take up the same space (client/theme/fonts.css). Run by hand when a font or the
// character set changes; the results are committed.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const subsetFont = require('subset-font');
const fontverter = require('fontverter');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'client/theme/fonts');

const fonts = [
  { name: 'pt-serif-400', family: 'pt-serif', weight: 400, style: 'normal', fallback: 'times' },
  { name: 'pt-serif-400-italic', family: 'pt-serif', weight: 400, style: 'italic', fallback: 'timesItalic' },
  { name: 'pt-serif-700', family: 'pt-serif', weight: 700, style: 'normal', fallback: 'timesBold' },
  { name: 'public-sans-400', family: 'public-sans', weight: 400, style: 'normal', fallback: 'arial' },
  { name: 'public-sans-600', family: 'public-sans', weight: 600, style: 'normal', fallback: 'arialBold' },
  { name: 'work-sans-500', family: 'work-sans', weight: 500, style: 'normal', fallback: 'arial' },
];

/**
 * Widths of `sample` in the system fonts, in em: measured on the Liberation fonts, which have the advance widths of
 * Arial and Times New Roman.
 */
const fallbackWidths = {
  arial: 93.051,
  arialBold: 100.297,
  times: 84.618,
  timesItalic: 84.403,
  timesBold: 89.81,
};

/** Plain English with a natural distribution of letters and spaces. */
const sample =
  'The quick answers you give today are kept, and you can come back to them at any time; nothing is sent before you say so. ' +
  'Tell us about your education, your work and how you would like to pay for the program.';

/** ASCII, Latin-1, and the typographic and currency signs in the texts. */
const characters = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2010, 0x2015],
  [0x2018, 0x201e],
  [0x2020, 0x2022],
  [0x2026, 0x2026],
  [0x2032, 0x2033],
  [0x2039, 0x203a],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
]
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)))
  .join('');

/** Reads the data for metric overrides from a TrueType font: vertical metrics and advances. */
function metrics(sfnt) {
  const tables = new Map();
  for (let i = 0; i < sfnt.readUInt16BE(4); i++) {
    const at = 12 + 16 * i;
    tables.set(sfnt.toString('latin1', at, at + 4), sfnt.readUInt32BE(at + 8));
  }
  const hhea = tables.get('hhea');
  const hmtx = tables.get('hmtx');
  const cmap = tables.get('cmap');
  const unitsPerEm = sfnt.readUInt16BE(tables.get('head') + 18);
  const longMetrics = sfnt.readUInt16BE(hhea + 34);

  let segments;
  for (let i = 0; i < sfnt.readUInt16BE(cmap + 2); i++) {
    const at = cmap + sfnt.readUInt32BE(cmap + 4 + 8 * i + 4);
    if (sfnt.readUInt16BE(at) === 4) segments = at;
  }
  const count = sfnt.readUInt16BE(segments + 6) / 2;
  const glyph = (code) => {
    for (let i = 0; i < count; i++) {
      const end = segments + 14 + 2 * i;
      if (sfnt.readUInt16BE(end) < code) continue;
      const start = end + 2 * count + 2;
      if (sfnt.readUInt16BE(start) > code) return 0;
      const delta = sfnt.readUInt16BE(start + 2 * count);
      const offsetAt = start + 4 * count;
      const offset = sfnt.readUInt16BE(offsetAt);
      if (offset === 0) return (code + delta) & 0xffff;
      const found = sfnt.readUInt16BE(offsetAt + offset + 2 * (code - sfnt.readUInt16BE(start)));
      return found === 0 ? 0 : (found + delta) & 0xffff;
    }
    return 0;
  };
  const advance = (code) => sfnt.readUInt16BE(hmtx + 4 * Math.min(glyph(code), longMetrics - 1));

  const em = (units) => units / unitsPerEm;
  return {
    ascent: em(sfnt.readInt16BE(hhea + 4)),
    descent: em(-sfnt.readInt16BE(hhea + 6)),
    lineGap: em(sfnt.readInt16BE(hhea + 8)),
    width: em([...sample].reduce((sum, letter) => sum + advance(letter.codePointAt(0)), 0)),
  };
}

const percent = (part) => `${(part * 100).toFixed(2)}%`;

await mkdir(target, { recursive: true });
for (const { name, family, weight, style, fallback } of fonts) {
  const folder = join(root, 'node_modules/@fontsource', family);
  const source = await readFile(join(folder, `files/${family}-latin-${weight}-${style}.woff2`));
  const subset = await subsetFont(source, characters, {
    targetFormat: 'woff2',
    // Hints are two thirds of PT Serif's bytes, and modern screens do without them.
    noHinting: true,
  });
  await writeFile(join(target, `${name}.woff2`), subset);
  await copyFile(join(folder, 'LICENSE'), join(target, `${family}.OFL.txt`));

  const { ascent, descent, lineGap, width } = metrics(await fontverter.convert(subset, 'truetype'));
  const size = width / fallbackWidths[fallback];
  stdout.write(
    `${name} (${subset.length} bytes), over ${fallback}: size-adjust ${percent(size)}; ` +
      `ascent-override ${percent(ascent / size)}; descent-override ${percent(descent / size)}; ` +
      `line-gap-override ${percent(lineGap / size)}\n`,
  );
}
