// The built-in questions, from the server's table.

import type { SectionId } from '../../api/page.gen';
import type { Choice } from '../../ui/field';
import { table } from './table.gen';

interface Common {
  /** Dotted path of its answer; within a group, its key there. */
  path: string;
  /** Its name where it is shown without its question. */
  label: string;
  /** The wording in the form, if it differs from the label. */
  ask?: string;
  hint?: string;
  /** The answer that it depends on. */
  after?: Gate;
}

/** A question with its own answer. */
export type Single = Common &
  (
    | { kind: 'yesNo' | 'country' | 'state' | 'text'; default: boolean | string | null }
    | { kind: 'whole'; min: number; max: number; default: number }
    | { kind: 'money'; max: number; default: number }
    | { kind: 'choice'; options: Choice[]; default: string }
    | { kind: 'several'; options: Choice[]; default: string[] }
  );

interface Group extends Common {
  /** For `anyOf` one answer is enough. */
  kind: 'group' | 'anyOf';
  parts: Single[];
}

interface Repeated extends Common {
  kind: 'repeated';
  parts: Single[];
  max: number;
}

/** A question, or a group of them. */
export type Asked = Single | Group | Repeated;

/** An answer, and the value that it must have, or include. */
export interface Gate {
  path: string;
  value: string;
}

export interface SectionTable {
  id: Exclude<SectionId, 'questions'>;
  title: string;
  questions: Asked[];
}

/** Every question with its own answer by path, except those about previous employers. */
export const singles = new Map(
  table.flatMap(({ questions }) => questions.flatMap(singlesOf)).map((single) => [single.path, single]),
);

function singlesOf(asked: Asked): Single[] {
  switch (asked.kind) {
    case 'repeated':
      return [];
    case 'group':
    case 'anyOf':
      return asked.parts.map((part) => ({
        ...part,
        path: `${asked.path}.${part.path}`,
        ask: askOf(part),
        label: asked.kind === 'group' ? labelIn(asked.label, part) : part.label,
        ...(asked.after && { after: asked.after }),
      }));
    default:
      return [asked];
  }
}

/** The wording in the form. */
export function askOf(asked: Asked): string {
  return asked.ask ?? asked.label;
}

/** The label of a part outside its group: "Current employer: job title". */
export function labelIn(whole: string, part: Single): string {
  return `${whole}: ${part.label.toLowerCase()}`;
}

const isRepeated = (asked: Asked): asked is Repeated => asked.kind === 'repeated';

export const previousEmployers = table.flatMap(({ questions }) => questions).find(isRepeated)!;
