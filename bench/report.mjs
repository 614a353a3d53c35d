// Formats figures: tables of text, one row for us and one for the baseline.

const ROWS = {
  landing: 'landing, as visitors get it (kept)',
  landingRendered: 'landing, rendered (?dialog=register)',
  application: 'list of sections, signed in',
  section: 'section of the application, signed in',
  dashboard: 'dashboard, signed in',
  officeList: 'office: 50 applications',
  officeApplication: 'office: one application',
  landingAgainstFile: 'landing, kept, brotli',
  saveSqlite: 'save an application, SQLite',
  savePostgres: 'save an application, PostgreSQL',
  upload: 'send a file of 25 MB',
};

export const cell = (value, width, digits = 0) =>
  (value === undefined ? '–' : value.toFixed(digits)).padStart(width);

const factor = (ratio) =>
  (ratio ? `${ratio.median.toFixed(2)}× (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})` : '–').padStart(
    20,
  );

const heads = (...columns) => columns.map(([name, width]) => name.padStart(width)).join('');

/** Rows as returned by `alternate`, by figure. Memory, also by figure, is resident megabytes after the rounds. */
export function comparison(title, rows, memory = {}) {
  const columns = heads(
    ['ratio /CPU-s', 20],
    ['ratio /s', 20],
    ['/CPU-s', 9],
    ['/s', 9],
    ['p50 ms', 9],
    ['p99 ms', 9],
    ['MB', 7],
  );
  const lines = [`\n${title}`, `${''.padEnd(38)}${columns}`];
  for (const [figure, row] of Object.entries(rows)) {
    for (const side of ['ours', 'baseline']) {
      const { perCpuSecond, perSecond, p50, p99 } = row[side];
      const isOurs = side === 'ours';
      lines.push(
        (isOurs ? ROWS[figure] : '  baseline').padEnd(38) +
          (isOurs ? factor(row.perCpuSecond) + factor(row.perSecond) : ''.padEnd(40)) +
          cell(perCpuSecond, 9) +
          cell(perSecond, 9) +
          cell(p50, 9, 2) +
          cell(p99, 9, 2) +
          cell(memory[figure]?.[side], 7),
      );
    }
  }
  return lines.join('\n');
}

/** Microseconds of processor time per page. */
export function renderings(bare) {
  const columns = heads(['ours', 9], ['stock', 9], ['', 20], ['ours, in Node', 16], ['share of stock', 20]);
  const lines = ['\nrendering alone, µs of processor time a page', `${''.padEnd(38)}${columns}`];
  for (const [figure, { ours, stock, sameRenderer, ratio, share }] of Object.entries(bare)) {
    const numbers = cell(ours, 9) + cell(stock, 9) + factor(ratio) + cell(sameRenderer, 16) + factor(share);
    lines.push(ROWS[figure].padEnd(38) + numbers);
  }
  return lines.join('\n');
}

export function weights(pages, landingInUse) {
  const kilobytes = (bytes) => cell(bytes / 1000, 9, 1);
  const columns = heads(['HTML', 9], ['CSS', 9], ['JS', 9], ['fonts', 9]);
  const lines = ['\nbytes sent to a browser that takes brotli, kB', `${''.padEnd(38)}${columns}`];
  for (const [page, { html, css, js, fonts }] of Object.entries(pages)) {
    lines.push(page.padEnd(38) + [html, css, js, fonts].map(kilobytes).join(''));
  }
  lines.push(`${'landing, once it is being used'.padEnd(38)}${''.padEnd(18)}${kilobytes(landingInUse)}`);
  return lines.join('\n');
}

/** Milliseconds for pages with few and with many applications, and what files of them took. */
export function growth(title, pages, files, sizes) {
  const columns = heads(...sizes.map((size) => [`${size.toLocaleString('en-US')}, ms`, 16]), ['ratio', 9]);
  const lines = [`\n${title}, the list of applications`, `${''.padEnd(38)}${columns}`];
  for (const [page, { few, many, ratio }] of Object.entries(pages)) {
    lines.push(page.padEnd(38) + cell(few, 16, 1) + cell(many, 16, 1) + `${cell(ratio, 8, 2)}×`);
  }
  for (const [ending, sides] of Object.entries(files)) {
    for (const [side, { bytes, seconds, megabytes }] of Object.entries(sides)) {
      const size = sizes[side === 'few' ? 0 : 1].toLocaleString('en-US');
      const told = `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB of memory`;
      lines.push(`${`${ending} of ${size}`.padEnd(38)}${told}`);
    }
  }
  return lines.join('\n');
}

/** Milliseconds until an action's result is seen, and for the same page as a document. */
export function desk(title, rows) {
  const columns = heads(['p50', 9], ['p95', 9], ['server p50', 12], ['document p50', 14], ['ratio', 9]);
  const lines = [`\n${title}, ms until it is seen`, `${''.padEnd(38)}${columns}`];
  for (const [name, { p50, p95, server, document, ratio }] of Object.entries(rows)) {
    lines.push(
      name.padEnd(38) +
        cell(p50, 9, 1) +
        cell(p95, 9, 1) +
        cell(server, 12, 1) +
        cell(document, 14, 1) +
        (ratio ? `${cell(ratio, 8, 2)}×` : cell(ratio, 9)),
    );
  }
  return lines.join('\n');
}

export function verdict({ figure, least, most, bar, value, met }) {
  const wanted = least ? `at least ${least}` : `at most ${most}`;
  const word = met === undefined ? 'not measured' : met ? 'met' : 'MISSED';
  return `${bar ? 'bar' : 'aim'}  ${figure.padEnd(44)} ${wanted.padEnd(14)} ${cell(value, 8, 2)}  ${word}`;
}
