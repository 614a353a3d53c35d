// The sections of the form: their content, their progress and the labels of their answers.

import type { ApplicationProps, ChangesAsked, Question, SectionId, SectionStates } from '../../api/page.gen';
import { countries } from '../../api/countries.gen';
import { t } from '../../api/texts';
import { usStates } from '../../api/us-states';
import { fieldId } from '../../ui/field';
import { employerCount, employerPath, PREVIOUS_EMPLOYERS, singleAt, type Answers } from './answers';
import { questionAt, questionWords } from './questions';
import { askOf, labelIn, previousEmployers, singles } from './table';
import { table } from './table.gen';

export interface Section {
  id: SectionId;
  title: string;
  /** Prefixes of the paths of its answers. */
  paths: string[];
}

export const sections: Section[] = [
  ...table.map(({ id, title, questions }) => ({ id, title, paths: questions.map(({ path }) => path) })),
  { id: 'questions', title: t('Questions of this program'), paths: ['questionnaire'] },
];

function contains(section: Section, path: string): boolean {
  return section.paths.some((start) => path === start || path.startsWith(`${start}.`));
}

/** Returns the section that asks for the answer under `path`. */
export function sectionOf(path: string): SectionId {
  return sections.find((section) => contains(section, path))!.id;
}

export function titleOf(id: SectionId): string {
  return sections.find((section) => section.id === id)!.title;
}

/** Returns the sections that can be changed: all, or those that staff have asked to change. */
export function openSections(changes: ChangesAsked | null): Section[] {
  return changes ? sections.filter(({ id }) => changes.sections.includes(id)) : sections;
}

export function isComplete(states: SectionStates): boolean {
  return sections.every(({ id }) => states[id] === 'complete');
}

/** Returns the open section before or after another one. */
export function neighbour(open: Section[], id: SectionId, step: 1 | -1): Section | undefined {
  return open[open.findIndex((section) => section.id === id) + step];
}

type ProgramOf = ApplicationProps['info'];

/** Address of the list of sections. */
export function listHref(info: ProgramOf): string {
  return `/${info.path}/application`;
}

export function sectionHref(info: ProgramOf, id: SectionId): string {
  return `${listHref(info)}/${id}`;
}

export function checkHref(info: ProgramOf): string {
  return `${listHref(info)}/check`;
}

/** Address of the input for the answer under `path`. */
export function answerHref(info: ProgramOf, path: string, { fromCheck = false } = {}): string {
  return `${sectionHref(info, sectionOf(path))}${fromCheck ? '?from=check' : ''}#${fieldId(path)}`;
}

/** Returns each section's progress as the server reports it, except that a section with errors is not complete. */
export function shownStates(states: SectionStates, errors: Record<string, string>): SectionStates {
  const shown = { ...states };
  for (const section of sections) {
    const isWrong = Object.keys(errors).some((path) => contains(section, path));
    if (isWrong) shown[section.id] = 'in-progress';
  }
  return shown;
}

/** Returns the label of an answer where it is shown without its question. */
export function labelOf(path: string, questions: Question[]): string {
  const asked = questionAt(questions, path) ?? singles.get(path);
  if (asked) return asked.label;
  const [, index, name] = employerPath.exec(path) ?? [];
  const part = previousEmployers.parts.find((each) => each.path === name);
  return part ? labelIn(t`Previous employer ${Number(index) + 1}`, part) : previousEmployers.label;
}

/** Returns the answer under `path` in words, for showing two versions side by side. */
export function answerInWords(path: string, answers: Answers, questions: Question[]): string {
  if (path === PREVIOUS_EMPLOYERS) return employersInWords(answers, questions);
  const words = [answers[path] ?? []].flat().map((value) => valueInWords(path, value, questions));
  return words.filter((word) => word !== '').join(', ') || t('No answer');
}

function employersInWords(answers: Answers, questions: Question[]): string {
  const employers = Array.from({ length: employerCount(answers) }, (_, index) =>
    previousEmployers.parts
      .map((part) => {
        const path = `${PREVIOUS_EMPLOYERS}.${index}.${part.path}`;
        const word = valueInWords(path, String(answers[path] ?? ''), questions);
        return part.kind === 'whole' ? `${word || 0} ${askOf(part).toLowerCase()}` : word;
      })
      .filter((word) => word !== '')
      .join(', '),
  );
  return employers.join('; ') || t('None');
}

export function valueInWords(path: string, value: string, questions: Question[]): string {
  const question = questionAt(questions, path);
  if (question) return questionWords(question, value);
  const asked = singleAt(path);
  switch (asked?.kind) {
    case 'country':
      return countries.find((country) => country.code === value)?.name ?? value;
    case 'state':
      return usStates.find((state) => state.code === value)?.name ?? value;
    case 'choice':
    case 'several':
      return asked.options.find((option) => option.value === value)?.label ?? value;
    case 'money':
      return value === '' ? '' : `$${value}`;
    case 'yesNo':
      return value === 'yes' ? t('Yes') : value === 'no' ? t('No') : value;
    default:
      return value;
  }
}
