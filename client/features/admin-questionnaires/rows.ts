// The questions of a draft as held by the editor.

import type { DraftQuestion } from '../../api/page.gen';

/** A question with the number in its field names, which stays the same when it is moved. */
export interface Row extends DraftQuestion {
  number: number;
}

/** Who answers the questions of a list: its fields, buttons and places are named after them. */
export interface Audience {
  /** Path of the questions, with which the names of their fields begin. */
  fields: 'questions' | 'references.questions';
  /** What the buttons’ values and the questions’ ids begin with. */
  actions: '' | 'referee-';
  /** Follows “question 1”. */
  whose: '' | ' for referees';
  /** Label for a question that has to be answered. */
  required: string;
}

export const applicants: Audience = {
  fields: 'questions',
  actions: '',
  whose: '',
  required: 'Needs an answer before the submission',
};

export const referees: Audience = {
  fields: 'references.questions',
  actions: 'referee-',
  whose: ' for referees',
  required: 'Needs an answer before the reference is sent',
};

export function rowsOf(questions: DraftQuestion[]): Row[] {
  return questions.map((question, number) => ({ ...question, number }));
}

/** Returns a new name: a letter and eight hexadecimal digits. */
function fresh(letter: string): string {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return letter + number!.toString(16).padStart(8, '0');
}

export function blankQuestion(rows: Row[]): Row {
  return {
    number: Math.max(-1, ...rows.map(({ number }) => number)) + 1,
    key: fresh('q'),
    type: 'text',
    label: '',
    help: '',
    required: true,
    removed: false,
    maxLength: '',
    min: '',
    max: '',
    earliest: '',
    latest: '',
    options: [],
    onlyIf: '',
    translations: {},
  };
}

export function blankOption(): DraftQuestion['options'][number] {
  return { value: fresh('o'), label: '', translations: {} };
}

/** Returns the list with one item moved; the same list if there is no such place. */
export function moved<T>(items: T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length || from === to) return items;
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

export function titleOf({ label }: DraftQuestion): string {
  return label || '(without words)';
}

/** The conditions available to a question: answers to earlier ones. Its current condition is always included. */
export function conditions(earlier: Row[], now: string): { value: string; label: string }[] {
  const possible = earlier
    .filter(({ removed }) => !removed)
    .flatMap((question) => {
      const title = titleOf(question);
      if (question.type === 'yesNo') {
        return [
          { value: `${question.key}:yes`, label: `${title} – Yes` },
          { value: `${question.key}:no`, label: `${title} – No` },
        ];
      }
      if (question.type !== 'choice' && question.type !== 'several') return [];
      return question.options
        .filter(({ value, label }) => value && label)
        .map(({ value, label }) => ({ value: `${question.key}=${value}`, label: `${title} – ${label}` }));
    });
  const isThere = now === '' || possible.some(({ value }) => value === now);
  return [
    { value: '', label: 'Always asked' },
    ...possible,
    ...(isThere ? [] : [{ value: now, label: 'An answer that cannot be given any more' }]),
  ];
}
