// The catalogues of translations, texts/LANGUAGE.json: by the English sentence, as it stands in client/ and src/.
//
//   node scripts/texts.mjs            brings them up to date: new sentences are empty, those that are gone are dropped
//   node scripts/texts.mjs --check    fails when something is missing, left over, or not translatable
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isTranslated, marks, withTexts } from './messages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The languages besides English. */
export const languages = readdirSync(join(root, 'texts'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

const fileOf = (language) => join(root, 'texts', `${language}.json`);

/** The translations into a language, by the English sentence. */
export const catalogueOf = (language) => JSON.parse(readFileSync(fileOf(language), 'utf8'));

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`);

/** The text of a Rust literal. */
function unquoted(literal) {
  return literal.replace(/\\(?:\n\s*|u\{([0-9a-f]+)\}|(.))/g, (_, code, character) => {
    if (code) return String.fromCodePoint(Number.parseInt(code, 16));
    return character ? ({ n: '\n', t: '\t' }[character] ?? character) : '';
  });
}

/** Rust without its comments and tests. */
const codeOf = (source) =>
  source.replace(/^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' ')).split('#[cfg(test)]')[0];

/** What stands in `text!("…")`. */
export function rustMessages(source) {
  const code = codeOf(source);
  return [...code.matchAll(/\btext!\(\s*"((?:[^"\\]|\\[^])*)"/g)].map(({ 1: literal, index }) => ({
    message: unquoted(literal),
    line: code.slice(0, index).split('\n').length,
  }));
}

/** Where Rust speaks to applicants and nobody else. */
const SPEAKS =
  /^src\/(pages\/(?!.*(admin|staff|assets))|app\/(account_mails|conversation|deferrals|email_change|error|login|mails|mails\/decisions|offers|passwords)\.rs|domain\/(account|decision\/(letter\/built_in|reason)|input|mail\/built_in|password|program)\.rs|domain\/(application|documents|funding|interview|ledger|status)\/)/;

/** Literals that are sentences, in code without its comments and tests, and are no message. */
export function escapedSentences(source) {
  const code = codeOf(source);
  const escaped = [];
  // What stands in the brackets of an attribute, or of a call that tells nobody, is passed over.
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

/** Every message with the places where it stands, and what should be one and is not. */
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

/** What is wrong with a catalogue. */
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
