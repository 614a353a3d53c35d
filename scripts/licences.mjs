// Fails if a dependency has a licence that has not been agreed to, or none. Reads what cargo and npm have resolved for
// this machine; changes nothing, and needs no network once both have fetched their packages.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** SPDX identifiers. All let us ship the product as we like if we include their notices. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 WITH LLVM-exception',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CDLA-Permissive-2.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);

/** Copyleft limited to its own files: fine if we use the package unmodified, on any platform. */
const ALLOWED_UNCHANGED = {
  'crypto-glue': 'MPL-2.0',
  'webauthn-attestation-ca': 'MPL-2.0',
  'webauthn-rs': 'MPL-2.0',
  'webauthn-rs-core': 'MPL-2.0',
  'webauthn-rs-proto': 'MPL-2.0',
  'cooked-waker': 'MPL-2.0',
  'axe-core': 'MPL-2.0',
  'ical.js': 'MPL-2.0',
  lightningcss: 'MPL-2.0',
};

const PLATFORM = /-(android|darwin|freebsd|linux|win32)-[\w-]+$/;

/** Licences stated in the package's README instead of in the usual place. */
const TOLD_IN_THE_README = {
  'combine-errors': 'MIT',
};

/**
 * Whether an SPDX expression can be satisfied with allowed licences: one side of `OR` (`/` in older crates), both sides
 * of `AND`. https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/
 */
export function isAllowed(expression, allowed = ALLOWED) {
  const tokens = expression.replaceAll('/', ' OR ').match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const term = () => {
    if (tokens[at] === '(') {
      at += 1;
      const inside = either();
      if (tokens[at] !== ')') return false;
      at += 1;
      return inside;
    }
    let licence = tokens[at];
    at += 1;
    if (tokens[at] === 'WITH') {
      licence = `${licence} WITH ${tokens[at + 1]}`;
      at += 2;
    }
    return allowed.has(licence);
  };
  const both = () => {
    let met = term();
    while (tokens[at] === 'AND') {
      at += 1;
      met = term() && met;
    }
    return met;
  };
  const either = () => {
    let met = both();
    while (tokens[at] === 'OR') {
      at += 1;
      met = both() || met;
    }
    return met;
  };
  return either() && at === tokens.length;
}

/** Returns the crates that are built for this machine: { name, version, licence, from }. */
function crates() {
  const host = execFileSync('rustc', ['-vV'], { encoding: 'utf8' }).match(/^host: (.*)$/m)[1];
  const args = ['metadata', '--locked', '--format-version', '1', '--filter-platform', host];
  const text = execFileSync('cargo', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 });
  const { packages, resolve } = JSON.parse(text);
  const used = new Set(resolve.nodes.map(({ id }) => id));
  return packages
    .filter(({ id, source }) => source && used.has(id))
    .map(({ name, version, license }) => ({ name, version, licence: license, from: 'cargo' }));
}

/** Returns the installed npm packages, including nested ones. */
function modules(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@')) {
      found.push(...modules(path));
      continue;
    }
    const names = readdirSync(path);
    if (names.includes('package.json')) {
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const licence = license ?? TOLD_IN_THE_README[name];
      found.push({ name: name ?? relative(root, path), version, licence, from: 'npm' });
    }
    if (names.includes('node_modules')) found.push(...modules(join(path, 'node_modules')));
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = [...crates(), ...modules(join(root, 'node_modules'))];
  const refused = packages.filter(({ name, licence }) => {
    if (typeof licence !== 'string') return true;
    return ALLOWED_UNCHANGED[name.replace(PLATFORM, '')] !== licence && !isAllowed(licence);
  });
  for (const { name, version, licence, from } of refused) {
    const told = typeof licence === 'string' ? licence : 'no licence';
    stderr.write(`${name} ${version} (${from}): ${told} is not among the licences of scripts/licences.mjs\n`);
  }
  stdout.write(`licences: ${packages.length} packages, ${refused.length} refused\n`);
  exit(refused.length ? 1 : 0);
}
