// The sections of the form: what belongs to each, how far it is, and what its answers are called.

import type { ApplicationProps, ChangesAsked, Choices, SectionId, SectionStates } from '../../api/page.gen';
import { countries } from '../../api/countries.gen';
import { t } from '../../api/texts';
import { usStates } from '../../api/us-states';
import { fieldId } from '../../ui/field';
import { employerCount, employerFields, PREVIOUS_EMPLOYERS, type Answers } from './answers';
import { questionAt, questionWords } from './questions';

export interface Section {
  id: SectionId;
  title: string;
  /** What the paths of its answers begin with. */
  paths: string[];
}

export const sections: Section[] = [
  { id: 'about-you', title: t('About you'), paths: ['personalInfo.isUSCitizen', 'personalInfo.state'] },
  {
    id: 'military',
    title: t('Military and DoD'),
    paths: ['personalInfo.isMilitaryAffiliated', 'personalInfo.isDoDEmployee'],
  },
  { id: 'education', title: t('Education'), paths: ['education'] },
  { id: 'employment', title: t('Employment'), paths: ['employment'] },
  { id: 'financial-plan', title: t('Financial plan'), paths: ['financialPlan'] },
  { id: 'credit-transfer', title: t('Credit transfer'), paths: ['creditTransfer'] },
  { id: 'questions', title: t('Questions of this program'), paths: ['questionnaire'] },
];

function contains(section: Section, path: string): boolean {
  return section.paths.some((start) => path === start || path.startsWith(`${start}.`));
}

/** The section that asks for the answer under `path`. */
export function sectionOf(path: string): SectionId {
  return sections.find((section) => contains(section, path))!.id;
}

export function titleOf(id: SectionId): string {
  return sections.find((section) => section.id === id)!.title;
}

/** The sections that can be changed: all, or those that staff have asked for. */
export function openSections(changes: ChangesAsked | null): Section[] {
  return changes ? sections.filter(({ id }) => changes.sections.includes(id)) : sections;
}

export function isComplete(states: SectionStates): boolean {
  return sections.every(({ id }) => states[id] === 'complete');
}

/** The section before or after another one, of those that are open. */
export function neighbour(open: Section[], id: SectionId, step: 1 | -1): Section | undefined {
  return open[open.findIndex((section) => section.id === id) + step];
}

type ProgramOf = ApplicationProps['info'];

/** Where the list of the sections is. */
export function listHref(info: ProgramOf): string {
  return `/${info.path}/application`;
}

export function sectionHref(info: ProgramOf, id: SectionId): string {
  return `${listHref(info)}/${id}`;
}

export function checkHref(info: ProgramOf): string {
  return `${listHref(info)}/check`;
}

/** Where the answer under `path` is given. */
export function answerHref(info: ProgramOf, path: string, { fromCheck = false } = {}): string {
  return `${sectionHref(info, sectionOf(path))}${fromCheck ? '?from=check' : ''}#${fieldId(path)}`;
}

/** How far each section is: what the server says, except that one with something wrong in it is not complete. */
export function shownStates(states: SectionStates, errors: Record<string, string>): SectionStates {
  const shown = { ...states };
  for (const section of sections) {
    const isWrong = Object.keys(errors).some((path) => contains(section, path));
    if (isWrong) shown[section.id] = 'in-progress';
  }
  return shown;
}

const labels: Record<string, string> = {
  'personalInfo.isUSCitizen': t('US citizen'),
  'personalInfo.state': t('State'),
  'personalInfo.isMilitaryAffiliated': t('Military affiliation'),
  'personalInfo.isDoDEmployee': t('DoD employee'),
  'education.hasBachelors': t('Bachelor’s degree'),
  'education.country': t('Country of the bachelor’s degree'),
  'education.hasMasters': t('Master’s degree'),
  'education.mastersCountry': t('Country of the master’s degree'),
  'employment.isSeeingCoachingClients': t('Seeing coaching clients'),
  'employment.isCurrentlyEmployed': t('Currently employed'),
  'employment.hasPreviousEmployment': t('Previous employment'),
  [PREVIOUS_EMPLOYERS]: t('Previous employers'),
  'financialPlan.selectedPayments': t('Ways to pay'),
  'financialPlan.selfPayContribution.upFrontContribution': t('Contribution up front'),
  'financialPlan.selfPayContribution.monthlyPaymentContribution': t('Contribution each month'),
  'creditTransfer.selectedPrograms': t('Credit transfer'),
};

export const employerLabels = {
  name: t('Employer name'),
  jobTitle: t('Job title'),
  hoursPerWeek: t('Hours per week'),
  yearsInRole: t('Years in role'),
};

/** What an answer is called where it stands without its question. */
export function labelOf(path: string, { questionnaire }: Choices): string {
  const label = labels[path] ?? questionAt(questionnaire.questions, path)?.label;
  if (label) return label;
  const field = employerLabels[path.slice(path.lastIndexOf('.') + 1) as keyof typeof employerLabels];
  const index = /\.(\d+)\./.exec(path)?.[1];
  const whose = index === undefined ? t('Current employer') : t`Previous employer ${Number(index) + 1}`;
  return `${whose}: ${field.toLowerCase()}`;
}

/** The answer under `path` in words, for showing two versions side by side. */
export function answerInWords(path: string, answers: Answers, choices: ApplicationProps['choices']): string {
  if (path === PREVIOUS_EMPLOYERS) return employersInWords(answers, choices);
  const words = [answers[path] ?? []].flat().map((value) => valueInWords(path, value, choices));
  return words.filter((word) => word !== '').join(', ') || t('No answer');
}

function employersInWords(answers: Answers, choices: ApplicationProps['choices']): string {
  const employers = Array.from({ length: employerCount(answers) }, (_, index) =>
    employerFields
      .map((field) => {
        const path = `${PREVIOUS_EMPLOYERS}.${index}.${field}`;
        const word = valueInWords(path, String(answers[path] ?? ''), choices);
        return field === 'hoursPerWeek' ? t`${word || 0} hours per week` : word;
      })
      .filter((word) => word !== '')
      .join(', '),
  );
  return employers.join('; ') || t('None');
}

export function valueInWords(path: string, value: string, choices: ApplicationProps['choices']): string {
  const named = (list: { value: string; label: string }[]) =>
    list.find((choice) => choice.value === value)?.label ?? value;
  const question = questionAt(choices.questionnaire.questions, path);
  if (question) return questionWords(question, value);
  if (path.startsWith('education.') && path.toLowerCase().endsWith('country')) {
    return countries.find((country) => country.code === value)?.name ?? value;
  }
  if (path === 'personalInfo.state') return usStates.find((state) => state.code === value)?.name ?? value;
  if (path.endsWith('.yearsInRole')) return named(choices.yearsInRole);
  if (path === 'financialPlan.selectedPayments') return named(choices.payments);
  if (path === 'creditTransfer.selectedPrograms') return named(choices.transferPrograms);
  if (path.endsWith('Contribution')) return value === '' ? '' : `$${value}`;
  return value === 'yes' ? t('Yes') : value === 'no' ? t('No') : value;
}
