// The questions that the product asks, as the server's table has them.

import type { SectionId } from '../../api/page.gen';
import type { Choice } from '../../ui/field';
import { table } from './table.gen';

interface Common {
  /** Where its answer stands, in dots; within a group, its key there. */
  path: string;
  /** What it is called where it stands without its question. */
  label: string;
  /** As the form asks it, unless that is its label. */
  ask?: string;
  hint?: string;
  /** The answer that it is asked after. */
  after?: Gate;
}

/** A question with an answer of its own. */
export type Single = Common &
  (
    | { kind: 'yesNo' | 'country' | 'state' | 'text'; default: boolean | string | null }
    | { kind: 'whole'; min: number; max: number; default: number }
    | { kind: 'money'; max: number; default: number }
    | { kind: 'choice'; options: Choice[]; default: string }
    | { kind: 'several'; options: Choice[]; default: string[] }
  );

interface Group extends Common {
  /** Of `anyOf` one answer is enough. */
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

/** An answer, and the value that it must have, or have among others. */
export interface Gate {
  path: string;
  value: string;
}

export interface SectionTable {
  id: Exclude<SectionId, 'questions'>;
  title: string;
  questions: Asked[];
}

/** Every question with an answer of its own, by the path of that, but those about previous employers. */
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

/** As the form asks it. */
export function askOf(asked: Asked): string {
  return asked.ask ?? asked.label;
}

/** What a part is called outside of its group: "Current employer: job title". */
export function labelIn(whole: string, part: Single): string {
  return `${whole}: ${part.label.toLowerCase()}`;
}

const isRepeated = (asked: Asked): asked is Repeated => asked.kind === 'repeated';

/** The list of previous employers. */
export const previousEmployers = table.flatMap(({ questions }) => questions).find(isRepeated)!;
