// The sections of the form: what belongs to each, how far it is, and what its answers are called.

import type { ApplicationProps, SectionStates } from '../../api/page';
import { countries } from '../../api/countries.gen';
import { usStates } from '../../api/us-states';
import { employerCount, employerFields, PREVIOUS_EMPLOYERS, type Answers } from './answers';

export type SectionId = keyof SectionStates;

interface Section {
  id: SectionId;
  title: string;
  /** What the paths of its answers begin with. */
  paths: string[];
}

export const sections: Section[] = [
  { id: 'about-you', title: 'About you', paths: ['personalInfo.isUSCitizen', 'personalInfo.state'] },
  {
    id: 'military',
    title: 'Military and DoD',
    paths: ['personalInfo.isMilitaryAffiliated', 'personalInfo.isDoDEmployee'],
  },
  { id: 'education', title: 'Education', paths: ['education'] },
  { id: 'employment', title: 'Employment', paths: ['employment'] },
  { id: 'financial-plan', title: 'Financial plan', paths: ['financialPlan'] },
  { id: 'credit-transfer', title: 'Credit transfer', paths: ['creditTransfer'] },
];

function contains(section: Section, path: string): boolean {
  return section.paths.some((start) => path === start || path.startsWith(`${start}.`));
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
  'personalInfo.isUSCitizen': 'US citizen',
  'personalInfo.state': 'State',
  'personalInfo.isMilitaryAffiliated': 'Military affiliation',
  'personalInfo.isDoDEmployee': 'DoD employee',
  'education.hasBachelors': 'Bachelor’s degree',
  'education.country': 'Country of the bachelor’s degree',
  'education.hasMasters': 'Master’s degree',
  'education.mastersCountry': 'Country of the master’s degree',
  'employment.isSeeingCoachingClients': 'Seeing coaching clients',
  'employment.isCurrentlyEmployed': 'Currently employed',
  'employment.hasPreviousEmployment': 'Previous employment',
  [PREVIOUS_EMPLOYERS]: 'Previous employers',
  'financialPlan.selectedPayments': 'Ways to pay',
  'financialPlan.selfPayContribution.upFrontContribution': 'Contribution up front',
  'financialPlan.selfPayContribution.monthlyPaymentContribution': 'Contribution each month',
  'creditTransfer.selectedPrograms': 'Credit transfer',
};

export const employerLabels = {
  name: 'Employer name',
  jobTitle: 'Job title',
  hoursPerWeek: 'Hours per week',
  yearsInRole: 'Years in role',
};

/** What an answer is called where it stands without its question. */
export function labelOf(path: string): string {
  const label = labels[path];
  if (label) return label;
  const field = employerLabels[path.slice(path.lastIndexOf('.') + 1) as keyof typeof employerLabels];
  const index = /\.(\d+)\./.exec(path)?.[1];
  const whose = index === undefined ? 'Current employer' : `Previous employer ${Number(index) + 1}`;
  return `${whose}: ${field.toLowerCase()}`;
}

/** The answer under `path` in words, for showing two versions side by side. */
export function answerInWords(path: string, answers: Answers, choices: ApplicationProps['choices']): string {
  if (path === PREVIOUS_EMPLOYERS) return employersInWords(answers, choices);
  const words = [answers[path] ?? []].flat().map((value) => valueInWords(path, value, choices));
  return words.filter((word) => word !== '').join(', ') || 'No answer';
}

function employersInWords(answers: Answers, choices: ApplicationProps['choices']): string {
  const employers = Array.from({ length: employerCount(answers) }, (_, index) =>
    employerFields
      .map((field) => {
        const path = `${PREVIOUS_EMPLOYERS}.${index}.${field}`;
        const word = valueInWords(path, String(answers[path] ?? ''), choices);
        return field === 'hoursPerWeek' ? `${word || 0} hours per week` : word;
      })
      .filter((word) => word !== '')
      .join(', '),
  );
  return employers.join('; ') || 'None';
}

export function valueInWords(path: string, value: string, choices: ApplicationProps['choices']): string {
  const named = (list: { value: string; label: string }[]) =>
    list.find((choice) => choice.value === value)?.label ?? value;
  if (path.startsWith('education.') && path.toLowerCase().endsWith('country')) {
    return countries.find((country) => country.code === value)?.name ?? value;
  }
  if (path === 'personalInfo.state') return usStates.find((state) => state.code === value)?.name ?? value;
  if (path.endsWith('.yearsInRole')) return named(choices.yearsInRole);
  if (path === 'financialPlan.selectedPayments') return named(choices.payments);
  if (path === 'creditTransfer.selectedPrograms') return named(choices.transferPrograms);
  if (path.endsWith('Contribution')) return value === '' ? '' : `$${value}`;
  return value === 'yes' ? 'Yes' : value === 'no' ? 'No' : value;
}
