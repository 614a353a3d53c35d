// The answers as the form holds them: text by path, exactly as the inputs have it and as a form post sends it. What is
// typed is never corrected away; it is read into data only to be saved and compared.

import type { ApplicationData, Employer } from '../../api/page.gen';
import { t } from '../../api/texts';
import { centsToText, textToCents } from '../../ui/format';
import { isBlank, isQuestionPath, questionPath } from './questions';

/** Text by path; several texts for a list of check boxes. */
export type Answers = Record<string, string | string[]>;

/** Some of the answers as data, nested like `ApplicationData`. */
export type AnswerPatch = { [name: string]: AnswerPatch | Scalar | string[] | Employer[] };

type Scalar = string | number | boolean | null;

/** How an answer is written, typed and stored. */
type Kind = 'yes-no' | 'text' | 'choice' | 'optional choice' | 'whole' | 'money' | 'list' | 'question';

export const PREVIOUS_EMPLOYERS = 'employment.previousEmployers';
export const MAX_PREVIOUS_EMPLOYERS = 20;

const MAX_HOURS = 168;
/** A million dollars, in cents. */
const MAX_MONEY = 100_000_000;

const employerKinds = {
  name: 'text',
  jobTitle: 'text',
  hoursPerWeek: 'whole',
  yearsInRole: 'choice',
} as const satisfies Record<keyof Employer, Kind>;

export const employerFields = Object.keys(employerKinds) as (keyof Employer)[];

/** Every answer but the previous employers and those to questions of staff, in the order of the form. */
const kinds: Record<string, Kind> = {
  'personalInfo.isUSCitizen': 'yes-no',
  'personalInfo.state': 'optional choice',
  'personalInfo.isMilitaryAffiliated': 'yes-no',
  'personalInfo.isDoDEmployee': 'yes-no',
  'education.hasBachelors': 'yes-no',
  'education.country': 'choice',
  'education.hasMasters': 'yes-no',
  'education.mastersCountry': 'choice',
  'employment.isSeeingCoachingClients': 'yes-no',
  'employment.isCurrentlyEmployed': 'yes-no',
  'employment.currentEmployer.name': 'text',
  'employment.currentEmployer.jobTitle': 'text',
  'employment.currentEmployer.hoursPerWeek': 'whole',
  'employment.currentEmployer.yearsInRole': 'choice',
  'employment.hasPreviousEmployment': 'yes-no',
  'financialPlan.selectedPayments': 'list',
  'financialPlan.selfPayContribution.upFrontContribution': 'money',
  'financialPlan.selfPayContribution.monthlyPaymentContribution': 'money',
  'creditTransfer.selectedPrograms': 'list',
};

const blankEmployer: Employer = { name: '', jobTitle: '', hoursPerWeek: 0, yearsInRole: '<1' };

/** The answers of an application in which nothing was answered yet. */
export const defaults: Answers = answersOf({
  personalInfo: { isUSCitizen: true, isMilitaryAffiliated: false, isDoDEmployee: false, state: null },
  education: { hasBachelors: true, country: 'US', hasMasters: false, mastersCountry: 'US' },
  employment: {
    isSeeingCoachingClients: false,
    isCurrentlyEmployed: true,
    currentEmployer: blankEmployer,
    hasPreviousEmployment: false,
    previousEmployers: [],
  },
  financialPlan: {
    selectedPayments: [],
    selfPayContribution: { upFrontContribution: 0, monthlyPaymentContribution: 0 },
  },
  creditTransfer: { selectedPrograms: [] },
  questionnaire: { version: 0, answers: {} },
});

/** What the form shows for stored answers. */
export function answersOf(data: ApplicationData): Answers {
  const answers: Answers = {};
  for (const [path, kind] of Object.entries(kinds)) answers[path] = write(kind, valueAt(data, path));
  for (const [key, value] of Object.entries(data.questionnaire.answers)) {
    answers[questionPath(key)] = write('question', value);
  }
  return { ...answers, ...employerAnswers(data.employment.previousEmployers) };
}

function employerAnswers(employers: Employer[]): Answers {
  const answers: Answers = {};
  employers.forEach((employer, index) => {
    for (const field of employerFields) {
      answers[`${PREVIOUS_EMPLOYERS}.${index}.${field}`] = write(employerKinds[field], employer[field]);
    }
  });
  return answers;
}

function valueAt(data: object, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], data);
}

function write(kind: Kind, value: unknown): string | string[] {
  switch (kind) {
    case 'yes-no':
      // Not chosen yet.
      if (value === null) return '';
      return value ? 'yes' : 'no';
    case 'money':
      // An amount of nothing is an empty field: people type over it.
      return value === 0 ? '' : centsToText(value as number);
    case 'list':
      return value as string[];
    case 'question':
      if (typeof value === 'boolean') return value ? 'yes' : 'no';
      return Array.isArray(value) ? (value as string[]) : String(value);
    default:
      return value === null ? '' : String(value);
  }
}

/** Data, or the sentence that says what is wrong with the text. */
type Reading = { value: Scalar | string[] } | { error: string };

function read(kind: Kind, answer: string | string[]): Reading {
  if (Array.isArray(answer)) return { value: answer };
  const text = answer.trim();
  switch (kind) {
    case 'yes-no':
      return { value: text === '' ? null : text === 'yes' };
    case 'optional choice':
      return { value: text === '' ? null : text };
    case 'whole':
      return readWhole(text);
    case 'money':
      return readMoney(text);
    default:
      return { value: text };
  }
}

function readWhole(text: string): Reading {
  if (!/^-?\d*$/.test(text) || text === '-') return { error: t('Hours per week must be a whole number.') };
  const hours = Number(text);
  return hours < 0 || hours > MAX_HOURS
    ? { error: t`Hours per week must be between 0 and ${MAX_HOURS}.` }
    : { value: hours };
}

function readMoney(text: string): Reading {
  if (text === '') return { value: 0 };
  if (text.startsWith('-') && textToCents(text.slice(1)) !== null) {
    return { error: t('Contribution must be 0 or more.') };
  }
  const cents = textToCents(text);
  if (cents === null) return { error: t('Enter an amount in dollars, such as 1,200.50.') };
  return cents > MAX_MONEY ? { error: t('Contribution must be at most $1,000,000.') } : { value: cents };
}

const employerPath = /^employment\.previousEmployers\.(\d+)\.(\w+)$/;

function kindOf(path: string): Kind | undefined {
  if (isQuestionPath(path)) return 'question';
  return kinds[path] ?? employerKinds[employerPath.exec(path)?.[2] as keyof Employer];
}

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
  const added = Object.entries(employerAnswers([blankEmployer])).map(([path, value]) => [
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

/** The answer that decides whether `path` is asked for, and the value it must have; null when it always is. */
export function gateOf(path: string): { path: string; value: string } | null {
  if (path === 'education.country') return { path: 'education.hasBachelors', value: 'yes' };
  if (path === 'education.mastersCountry') return { path: 'education.hasMasters', value: 'yes' };
  if (path.startsWith('employment.currentEmployer.')) {
    return { path: 'employment.isCurrentlyEmployed', value: 'yes' };
  }
  if (path.startsWith(PREVIOUS_EMPLOYERS)) return { path: 'employment.hasPreviousEmployment', value: 'yes' };
  if (path.startsWith('financialPlan.selfPayContribution.')) {
    return { path: 'financialPlan.selectedPayments', value: 'self_pay' };
  }
  return null;
}

/** Hidden answers stay in the form, so that a No taken back loses nothing, but they are not saved. */
export function isHidden(path: string, answers: Answers): boolean {
  const gate = gateOf(path);
  if (!gate) return false;
  const answer = answers[gate.path];
  return Array.isArray(answer) ? !answer.includes(gate.value) : answer !== gate.value;
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
  if (path in kinds || isQuestionPath(path)) return isSame(a[path], b[path]);
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
  return [...Object.keys(kinds), ...employers, ...questionPaths(...versions)];
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
  for (const [path, kind] of Object.entries(kinds)) {
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
  for (const [path, kind] of Object.entries(kinds)) {
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
  const field = match[2] as keyof Employer;
  return { ...answers, [path]: write(employerKinds[field], blankEmployer[field]) };
}

function employersOf(answers: Answers): Employer[] {
  return Array.from({ length: employerCount(answers) }, (_, index) =>
    Object.fromEntries(
      employerFields.map((field) => [
        field,
        valueOf(employerKinds[field], answers[`${PREVIOUS_EMPLOYERS}.${index}.${field}`] ?? ''),
      ]),
    ),
  ) as unknown as Employer[];
}

/** The Yes that an answer under `path` implies. */
function putGate(patch: AnswerPatch, path: string, answers: Answers): void {
  const gate = gateOf(path);
  if (gate && kinds[gate.path] === 'yes-no' && !isHidden(path, answers)) put(patch, gate.path, true);
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
    if (kind === 'list' || (kind === 'question' && Array.isArray(stored[path])))
      answers[path] = [value].flat().filter((each) => each !== '');
    else if (kind !== undefined) answers[path] = [value].flat().at(-1) ?? '';
  }
  return answers;
}
