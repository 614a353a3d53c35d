// The translation catalogues, texts/LANGUAGE.json: keyed by the English sentence in client/ and src/.
//
//   node scripts/texts.mjs            updates them: new sentences are empty, removed ones are dropped
//   node scripts/texts.mjs --check    fails if something is missing, left over, or not translatable
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isTranslated, marks, withTexts } from './messages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The languages other than English. */
export const languages = readdirSync(join(root, 'texts'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

const fileOf = (language) => join(root, 'texts', `${language}.json`);

/** Returns the translations into a language, by English sentence. */
export const catalogueOf = (language) => JSON.parse(readFileSync(fileOf(language), 'utf8'));

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`);

/** Returns the text of a Rust literal. */
function unquoted(literal) {
  return literal.replace(/\\(?:\n\s*|u\{([0-9a-f]+)\}|(.))/g, (_, code, character) => {
    if (code) return String.fromCodePoint(Number.parseInt(code, 16));
    return character ? ({ n: '\n', t: '\t' }[character] ?? character) : '';
  });
}

/** Returns Rust code without its comments and tests. */
const codeOf = (source) =>
  source.replace(/^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' ')).split('#[cfg(test)]')[0];

/** Returns the texts of all `text!("…")`. */
export function rustMessages(source) {
  const code = codeOf(source);
  return [...code.matchAll(/\btext!\(\s*"((?:[^"\\]|\\[^])*)"/g)].map(({ 1: literal, index }) => ({
    message: unquoted(literal),
    line: code.slice(0, index).split('\n').length,
  }));
}

/** Rust code whose texts are only for applicants. */
const SPEAKS =
  /^src\/(pages\/(?!.*(admin|staff|assets))|app\/(account_mails|conversation|deferrals|email_change|error|login|mails|mails\/decisions|offers|passwords)\.rs|domain\/(account|decision\/(letter\/built_in|reason)|input|mail\/built_in|password|program)\.rs|domain\/(application|documents|funding|interview|ledger|status)\/)/;

/** Returns literals that are sentences but not messages, excluding comments and tests. */
export function escapedSentences(source) {
  const code = codeOf(source);
  const escaped = [];
  // Skips what is in the brackets of an attribute, or of a call whose text nobody sees.
  const open = [];
  const tokens =
    /'(?:\\.[^']*|[^'\\])'|"((?:[^"\\]|\\[^])*)"|#!?\[|\b(?:text|panic|assert\w*|tracing::\w+|unreachable)!\(|\b(?:Sentence::\w+|expect)\(|[([{]|[)\]}]/g;
  for (const { 0: token, 1: literal, index } of code.matchAll(tokens)) {
    if (/^[([{]$/.test(token)) open.push(false);
    else if (/^[)\]}]$/.test(token)) open.pop();
    else if (token.endsWith('(') || token.endsWith('[')) open.push(true);
    else if (literal !== undefined && !open.includes(true) && isSentence(literal)) {
      escaped.push({ text: literal, line: code.slice(0, index).split('\n').length });
    }
  }
  return escaped;
}

const isSentence = (text) => /^\p{Lu}\p{Ll}*\b.* .*[.?!]$|^\p{Lu}\p{Ll}+ \p{Ll}/su.test(text);

/** Returns every message with its places, and texts that should be messages but are not. */
function read() {
  const messages = new Map();
  const faults = [];
  const note = (message, place) => messages.set(message, [...(messages.get(message) ?? []), place]);
  for (const name of filesIn('client').filter(isTranslated)) {
    withTexts(readFileSync(join(root, name), 'utf8'), {
      name,
      translate: () => undefined,
      found: (message, line) => note(message, `${name}:${line}`),
      escaped: (text, line) => faults.push(`${name}:${line}: is this for people? Then mark it: t(${text})`),
    });
  }
  for (const name of filesIn('src').filter((path) => path.endsWith('.rs'))) {
    const source = readFileSync(join(root, name), 'utf8');
    for (const { message, line } of rustMessages(source)) note(message, `${name}:${line}`);
    for (const { text, line } of SPEAKS.test(name) ? escapedSentences(source) : []) {
      faults.push(
        `${name}:${line}: is this for applicants? Then write text!("${text}"), else Sentence::plain`,
      );
    }
  }
  const countries = 'src/domain/reference/countries.json';
  for (const { name } of JSON.parse(readFileSync(join(root, countries), 'utf8'))) note(name, countries);
  return { messages, faults };
}

/** Returns the errors in a catalogue. */
function faultsOf(language, messages) {
  const catalogue = catalogueOf(language);
  const faults = [];
  for (const [message, [place]] of messages) {
    const translation = catalogue[message];
    if (!translation) faults.push(`${place}: not translated (${language}): ${message}`);
    else if (String(marks(translation)) !== String(marks(message)))
      faults.push(`texts/${language}.json: other names or tags than in the original: ${message}`);
  }
  const gone = Object.keys(catalogue).filter((message) => !messages.has(message));
  return [...faults, ...gone.map((message) => `texts/${language}.json: stands nowhere any more: ${message}`)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { messages, faults } = read();
  if (!process.argv.includes('--check')) {
    for (const language of languages) {
      const before = catalogueOf(language);
      const entries = [...messages.keys()].toSorted().map((message) => [message, before[message] ?? '']);
      writeFileSync(fileOf(language), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
    }
  }
  const found = [...faults, ...languages.flatMap((language) => faultsOf(language, messages))];
  for (const fault of found) process.stderr.write(`${fault}\n`);
  if (found.length > 0 && process.argv.includes('--check')) process.exitCode = 1;
}
