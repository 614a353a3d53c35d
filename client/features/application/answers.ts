// The answers as the form holds them: text by path, exactly as the inputs have it and as a form post sends it. What is
// typed is never corrected away; it is read into data only to be saved and compared.

import type { ApplicationData, Employer } from '../../api/page.gen';
import { t } from '../../api/texts';
import { centsToText, textToCents } from '../../ui/format';
import { isBlank, isQuestionPath, questionPath } from './questions';
import { askOf, previousEmployers, singles, type Gate, type Single } from './table';

/** Text by path; several texts for a list of check boxes. */
export type Answers = Record<string, string | string[]>;

/** Some of the answers as data, nested like `ApplicationData`. */
export type AnswerPatch = { [name: string]: AnswerPatch | Scalar | string[] | Employer[] };

type Scalar = string | number | boolean | null;

/** A question of the product, or one that staff ask. */
type Kind = Single | 'question';

export const PREVIOUS_EMPLOYERS = previousEmployers.path;
export const MAX_PREVIOUS_EMPLOYERS = previousEmployers.max;
const employerParts = new Map(previousEmployers.parts.map((part) => [part.path, part]));

export const employerFields = [...employerParts.keys()] as (keyof Employer)[];

/** The answers of an application in which nothing was answered yet. */
export const defaults: Answers = Object.fromEntries(
  [...singles].map(([path, single]) => [path, write(single, single.default)]),
);

/** What the form shows for stored answers. */
export function answersOf(data: ApplicationData): Answers {
  const answers: Answers = {};
  for (const [path, single] of singles) answers[path] = write(single, valueAt(data, path));
  for (const [key, value] of Object.entries(data.questionnaire.answers)) {
    answers[questionPath(key)] = write('question', value);
  }
  return { ...answers, ...employerAnswers(data.employment.previousEmployers) };
}

function employerAnswers(employers: Partial<Employer>[]): Answers {
  const answers: Answers = {};
  employers.forEach((employer, index) => {
    for (const [name, part] of employerParts) {
      const value = employer[name as keyof Employer] ?? part.default;
      answers[`${PREVIOUS_EMPLOYERS}.${index}.${name}`] = write(part, value);
    }
  });
  return answers;
}

function valueAt(data: object, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], data);
}

function write(kind: Kind, value: unknown): string | string[] {
  if (kind === 'question') {
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return Array.isArray(value) ? (value as string[]) : String(value);
  }
  switch (kind.kind) {
    case 'yesNo':
      // Not chosen yet.
      if (value === null) return '';
      return value ? 'yes' : 'no';
    case 'money':
      // An amount of nothing is an empty field: people type over it.
      return value === 0 ? '' : centsToText(value as number);
    case 'several':
      return value as string[];
    default:
      return value === null ? '' : String(value);
  }
}

/** Data, or the sentence that says what is wrong with the text. */
type Reading = { value: Scalar | string[] } | { error: string };

function read(kind: Kind, answer: string | string[]): Reading {
  if (Array.isArray(answer)) return { value: answer };
  const text = answer.trim();
  if (kind === 'question') return { value: text };
  switch (kind.kind) {
    case 'yesNo':
      return { value: text === '' ? null : text === 'yes' };
    case 'state':
      return { value: text === '' ? null : text };
    case 'whole':
      return readWhole(kind, text);
    case 'money':
      return readMoney(kind.max, text);
    default:
      return { value: text };
  }
}

function readWhole(asked: Single & { kind: 'whole' }, text: string): Reading {
  const { min, max } = asked;
  const label = askOf(asked);
  if (!/^-?\d*$/.test(text) || text === '-') return { error: t`${label} must be a whole number.` };
  const number = Number(text);
  return number < min || number > max
    ? { error: t`${label} must be between ${min} and ${max}.` }
    : { value: number };
}

function readMoney(max: number, text: string): Reading {
  if (text === '') return { value: 0 };
  if (text.startsWith('-') && textToCents(text.slice(1)) !== null) {
    return { error: t('Contribution must be 0 or more.') };
  }
  const cents = textToCents(text);
  if (cents === null) return { error: t('Enter an amount in dollars, such as 1,200.50.') };
  return cents > max ? { error: t('Contribution must be at most $1,000,000.') } : { value: cents };
}

export const employerPath = /^employment\.previousEmployers\.(\d+)\.(\w+)$/;

/** The question of the product whose answer stands at `path`. */
export function singleAt(path: string): Single | undefined {
  return singles.get(path) ?? employerParts.get(employerPath.exec(path)?.[2] ?? '');
}

const kindOf = (path: string): Kind | undefined => (isQuestionPath(path) ? 'question' : singleAt(path));

/** Every path of these answers, those of the previous employers included. */
export function pathsOf(answers: Answers): string[] {
  return Object.keys(answers).filter((path) => kindOf(path) !== undefined);
}

/** The answer that a server's error is about: `path` itself, or what it is a part of. Null when it is none of ours. */
export function answerOfError(path: string, answers: Answers): string | null {
  if (Object.hasOwn(answers, path) || path === PREVIOUS_EMPLOYERS) return path;
  const end = path.lastIndexOf('.');
  return end < 0 ? null : answerOfError(path.slice(0, end), answers);
}

/** What is wrong with what was typed, by path; only with the answers that are asked for. */
export function errorsIn(answers: Answers): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const path of pathsOf(answers)) {
    const reading = read(kindOf(path)!, answers[path]!);
    if ('error' in reading && !isHidden(path, answers)) errors[path] = reading.error;
  }
  return errors;
}

export function employerCount(answers: Answers): number {
  return Object.keys(answers).reduce((count, path) => {
    const match = employerPath.exec(path);
    return match ? Math.max(count, Number(match[1]) + 1) : count;
  }, 0);
}

export function addEmployer(answers: Answers): Answers {
  const count = employerCount(answers);
  if (count >= MAX_PREVIOUS_EMPLOYERS) return answers;
  const added = Object.entries(employerAnswers([{}])).map(([path, value]) => [
    path.replace('.0.', `.${count}.`),
    value,
  ]);
  return { ...answers, ...Object.fromEntries(added) };
}

/** Also for anything else kept by path, such as errors: those of later employers move up. */
export function removeEmployer<Value>(byPath: Record<string, Value>, index: number): Record<string, Value> {
  const kept: Record<string, Value> = {};
  for (const [path, value] of Object.entries(byPath)) {
    const match = employerPath.exec(path);
    if (!match || Number(match[1]) < index) kept[path] = value;
    else if (Number(match[1]) > index) {
      kept[`${PREVIOUS_EMPLOYERS}.${Number(match[1]) - 1}.${match[2]}`] = value;
    }
  }
  return kept;
}

/** The answer that decides whether `path` is asked for; null when it always is. */
export function gateOf(path: string): Gate | null {
  const asked = path.startsWith(PREVIOUS_EMPLOYERS) ? previousEmployers : singles.get(path);
  return asked?.after ?? null;
}

/** Hidden answers stay in the form, so that a No taken back loses nothing, but they are not saved. */
export function isHidden(path: string, answers: Answers): boolean {
  const gate = gateOf(path);
  return gate !== null && !isOpen(gate, answers);
}

/** Whether what is asked after this answer is asked. */
export function isOpen(gate: Gate, answers: Answers): boolean {
  const answer = answers[gate.path];
  return Array.isArray(answer) ? answer.includes(gate.value) : answer === gate.value;
}

/**
 * The answers as the server would give them back: hidden ones are the defaults, texts trimmed, amounts in one form.
 * What cannot be read stays as it was typed.
 */
export function canonical(answers: Answers): Answers {
  const result: Answers = {};
  for (const path of pathsOf(answers)) {
    if (isHidden(path, answers)) {
      const value = defaults[path];
      if (value !== undefined) result[path] = value;
      continue;
    }
    const kind = kindOf(path)!;
    const answer = answers[path]!;
    // Not answered and not there are the same.
    if (kind === 'question' && isBlank(answer)) continue;
    const reading = read(kind, answer);
    result[path] = 'error' in reading ? answer : write(kind, reading.value);
  }
  return result;
}

export function isSame(a: string | string[] | undefined, b: string | string[] | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value) => b.includes(value));
}

/** The part of the answers under `path`: one answer, or all of the previous employers. */
export function partOf(answers: Answers, path: string): Answers {
  return Object.fromEntries(
    Object.entries(answers).filter(([other]) => other === path || other.startsWith(`${path}.`)),
  );
}

export function isSamePart(path: string, a: Answers, b: Answers): boolean {
  if (singles.has(path) || isQuestionPath(path)) return isSame(a[path], b[path]);
  const one = partOf(a, path);
  const other = partOf(b, path);
  const paths = Object.keys(one);
  return paths.length === Object.keys(other).length && paths.every((each) => isSame(one[each], other[each]));
}

/** `answers` with their part under `path` taken from `source`. */
export function withPart(answers: Answers, path: string, source: Answers): Answers {
  const rest = Object.entries(answers).filter(([other]) => other !== path && !other.startsWith(`${path}.`));
  return { ...Object.fromEntries(rest), ...partOf(source, path) };
}

/**
 * Where the answers differ: by path, the previous employers one by one as long as all of `versions` have as many of
 * them, else as a whole.
 */
export function comparablePaths(...versions: Answers[]): string[] {
  const count = employerCount(versions[0]!);
  const alike = versions.every((version) => employerCount(version) === count);
  const employers = alike
    ? Array.from({ length: count }, (_, index) =>
        employerFields.map((field) => `${PREVIOUS_EMPLOYERS}.${index}.${field}`),
      ).flat()
    : [PREVIOUS_EMPLOYERS];
  return [...singles.keys(), ...employers, ...questionPaths(...versions)];
}

/** The questions of staff that some of these versions answer. */
function questionPaths(...versions: Answers[]): string[] {
  return [...new Set(versions.flatMap((version) => Object.keys(version).filter(isQuestionPath)))];
}

/** The answers that can be sent: those under the paths in `except` as they are stored, the others as they are here. */
export function sendable(saved: Answers, answers: Answers, except: readonly string[]): Answers {
  return except.reduce((target, path) => withStoredPart(target, path, saved), answers);
}

/**
 * What to send so that the stored answers become `answers`, or null when they are the same. Only what differs is
 * sent: an answer that nobody has given stays known as such. But who answers what is asked only after a Yes has said
 * Yes. A list, that of the employers too, is sent as a whole.
 */
export function patchOf(saved: Answers, answers: Answers): AnswerPatch | null {
  const now = canonical(answers);
  const before = canonical(saved);

  const patch: AnswerPatch = {};
  for (const [path, kind] of singles) {
    if (isSame(now[path], before[path])) continue;
    put(patch, path, valueOf(kind, now[path]!));
    putGate(patch, path, answers);
  }
  for (const path of questionPaths(now, before)) {
    // An empty text takes an answer back.
    if (!isSame(now[path], before[path])) put(patch, path, valueOf('question', now[path] ?? ''));
  }
  if (!isSamePart(PREVIOUS_EMPLOYERS, now, before)) {
    put(patch, PREVIOUS_EMPLOYERS, employersOf(now));
    putGate(patch, PREVIOUS_EMPLOYERS, answers);
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

/**
 * `patchOf` with all that is shown of what `isAsked`: who is done with a section means the defaults in it too, and from
 * then on they are given answers. What is under the paths in `except` is left out.
 */
export function wholePatchOf(
  saved: Answers,
  answers: Answers,
  except: readonly string[],
  isAsked: (path: string) => boolean,
): AnswerPatch {
  const now = canonical(answers);
  const patch = patchOf(saved, answers) ?? {};
  const isMeant = (path: string) =>
    isAsked(path) &&
    !isHidden(path, answers) &&
    !except.some((left) => left === path || left.startsWith(`${path}.`) || path.startsWith(`${left}.`));
  for (const [path, kind] of singles) {
    if (isMeant(path)) put(patch, path, valueOf(kind, now[path]!));
  }
  for (const path of questionPaths(now)) {
    if (isMeant(path)) put(patch, path, valueOf('question', now[path]!));
  }
  if (isMeant(PREVIOUS_EMPLOYERS)) put(patch, PREVIOUS_EMPLOYERS, employersOf(now));
  return patch;
}

function withStoredPart(answers: Answers, path: string, saved: Answers): Answers {
  const match = employerPath.exec(path);
  if (!match || employerCount(answers) === employerCount(saved)) return withPart(answers, path, saved);
  // With employers added or removed, nobody knows which stored one this is.
  const part = singleAt(path)!;
  return { ...answers, [path]: write(part, part.default) };
}

function employersOf(answers: Answers): Employer[] {
  return Array.from({ length: employerCount(answers) }, (_, index) =>
    Object.fromEntries(
      employerFields.map((field) => [
        field,
        valueOf(employerParts.get(field)!, answers[`${PREVIOUS_EMPLOYERS}.${index}.${field}`] ?? ''),
      ]),
    ),
  ) as unknown as Employer[];
}

/** The Yes that an answer under `path` implies. */
function putGate(patch: AnswerPatch, path: string, answers: Answers): void {
  const gate = gateOf(path);
  if (gate && singles.get(gate.path)?.kind === 'yesNo' && !isHidden(path, answers))
    put(patch, gate.path, true);
}

function valueOf(kind: Kind, answer: string | string[]): Scalar | string[] {
  const reading = read(kind, answer);
  if ('error' in reading) throw new Error(`An unreadable answer was not left out: ${reading.error}`);
  return reading.value;
}

function put(patch: AnswerPatch, path: string, value: Scalar | string[] | Employer[]): void {
  const names = path.split('.');
  const last = names.pop()!;
  let part = patch;
  for (const name of names) part = (part[name] ??= {}) as AnswerPatch;
  part[last] = value;
}

/** The answers that a posted form brought back, over the stored ones. */
export function postedAnswers(stored: Answers, posted: Record<string, string | string[]>): Answers {
  const answers = Object.fromEntries(
    Object.entries(stored).filter(([path]) => !employerPath.test(path)),
  ) as Answers;
  for (const [path, value] of Object.entries(posted)) {
    const kind = kindOf(path);
    if (Array.isArray(kind === 'question' ? stored[path] : defaults[path]))
      answers[path] = [value].flat().filter((each) => each !== '');
    else if (kind !== undefined) answers[path] = [value].flat().at(-1) ?? '';
  }
  return answers;
}
