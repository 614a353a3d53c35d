// The answers as the form holds them: text by path, exactly as the inputs contain it and as a form post sends it. What
// was typed is never corrected; it is parsed into data only for saving and comparing.

import type { ApplicationData, Employer } from '../../api/page.gen';
import { t } from '../../api/texts';
import { centsToText, textToCents } from '../../ui/format';
import { isBlank, isQuestionPath, questionPath } from './questions';
import { askOf, previousEmployers, singles, type Gate, type Single } from './table';

/** Text by path; several texts for a group of checkboxes. */
export type Answers = Record<string, string | string[]>;

/** Some of the answers as data, nested like `ApplicationData`. */
export type AnswerPatch = { [name: string]: AnswerPatch | Scalar | string[] | Employer[] };

type Scalar = string | number | boolean | null;

/** A built-in question, or one that staff ask. */
type Kind = Single | 'question';

export const PREVIOUS_EMPLOYERS = previousEmployers.path;
export const MAX_PREVIOUS_EMPLOYERS = previousEmployers.max;
const employerParts = new Map(previousEmployers.parts.map((part) => [part.path, part]));

export const employerFields = [...employerParts.keys()] as (keyof Employer)[];

/** The answers of an application in which nothing has been answered yet. */
export const defaults: Answers = Object.fromEntries(
  [...singles].map(([path, single]) => [path, write(single, single.default)]),
);

/** Returns what the form shows for stored answers. */
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
      // A zero amount is an empty field that people can type into.
      return value === 0 ? '' : centsToText(value as number);
    case 'several':
      return value as string[];
    default:
      return value === null ? '' : String(value);
  }
}

/** Data, or a sentence saying what is wrong with the text. */
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

/** The built-in question whose answer is at `path`. */
export function singleAt(path: string): Single | undefined {
  return singles.get(path) ?? employerParts.get(employerPath.exec(path)?.[2] ?? '');
}

const kindOf = (path: string): Kind | undefined => (isQuestionPath(path) ? 'question' : singleAt(path));

/** All paths of these answers, including those of the previous employers. */
export function pathsOf(answers: Answers): string[] {
  return Object.keys(answers).filter((path) => kindOf(path) !== undefined);
}

/** Returns the answer that a server error refers to: `path` itself, or a parent of it. Null if it is none of ours. */
export function answerOfError(path: string, answers: Answers): string | null {
  if (Object.hasOwn(answers, path) || path === PREVIOUS_EMPLOYERS) return path;
  const end = path.lastIndexOf('.');
  return end < 0 ? null : answerOfError(path.slice(0, end), answers);
}

/** Errors in what was typed, by path; only for answers that are currently asked for. */
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

/** Removes an employer and moves later ones up. Also works for other values kept by path, such as errors. */
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

/** Returns the answer that decides whether `path` is asked for; null if it always is. */
export function gateOf(path: string): Gate | null {
  const asked = path.startsWith(PREVIOUS_EMPLOYERS) ? previousEmployers : singles.get(path);
  return asked?.after ?? null;
}

/**
 * Whether an answer is hidden. Hidden answers stay in the form, so that taking back a No loses nothing, but they are
 * not saved.
 */
export function isHidden(path: string, answers: Answers): boolean {
  const gate = gateOf(path);
  return gate !== null && !isOpen(gate, answers);
}

/** Whether the questions that depend on this answer are asked. */
export function isOpen(gate: Gate, answers: Answers): boolean {
  const answer = answers[gate.path];
  return Array.isArray(answer) ? answer.includes(gate.value) : answer === gate.value;
}

/**
 * Returns the answers as the server would: hidden ones are the defaults, texts are trimmed, amounts are normalised.
 * What cannot be parsed stays as typed.
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
    // Unanswered is the same as absent.
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

/** Returns the part of the answers under `path`: one answer, or all of the previous employers. */
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

/** Returns `answers` with the part under `path` taken from `source`. */
export function withPart(answers: Answers, path: string, source: Answers): Answers {
  const rest = Object.entries(answers).filter(([other]) => other !== path && !other.startsWith(`${path}.`));
  return { ...Object.fromEntries(rest), ...partOf(source, path) };
}

/**
 * Returns the paths to compare: previous employers field by field if all `versions` have the same number of them,
 * otherwise as a whole.
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

/** Returns the questions of staff that any of these versions answers. */
function questionPaths(...versions: Answers[]): string[] {
  return [...new Set(versions.flatMap((version) => Object.keys(version).filter(isQuestionPath)))];
}

/** Returns the answers that can be sent: those under the paths in `except` as stored, the others as given. */
export function sendable(saved: Answers, answers: Answers, except: readonly string[]): Answers {
  return except.reduce((target, path) => withStoredPart(target, path, saved), answers);
}

/**
 * Returns the patch that turns the stored answers into `answers`, or null if they are the same. Only differences are
 * sent, so that an answer nobody has given stays recorded as not given. But answering a question that is only asked
 * after a Yes implies that Yes. A list, including that of employers, is sent as a whole.
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
    // An empty text withdraws an answer.
    if (!isSame(now[path], before[path])) put(patch, path, valueOf('question', now[path] ?? ''));
  }
  if (!isSamePart(PREVIOUS_EMPLOYERS, now, before)) {
    put(patch, PREVIOUS_EMPLOYERS, employersOf(now));
    putGate(patch, PREVIOUS_EMPLOYERS, answers);
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

/**
 * `patchOf` plus everything visible for which `isAsked` is true: completing a section confirms its defaults, which from
 * then on count as given answers. Excludes what is under the paths in `except`.
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
  // If employers were added or removed, the stored counterpart is unknown.
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

/** Adds the Yes that an answer under `path` implies. */
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

/** Returns the stored answers overlaid with those of a posted form. */
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
