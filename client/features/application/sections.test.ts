import { expect, test } from 'vitest';
import type { Question } from '../../api/page.gen';
import { addEmployer, defaults, type Answers } from './answers';
import { answerInWords, labelOf, shownStates } from './sections';
import { storedApplication } from './testing';

test('a section with something wrong in it is not shown as complete', () => {
  const { sections } = storedApplication(1);
  const states = { ...sections, employment: 'complete', military: 'complete' } as const;
  const errors = { 'employment.currentEmployer.name': 'Too long.' };
  expect(shownStates(states, errors)).toEqual({ ...states, employment: 'in-progress' });
  expect(shownStates(states, {})).toEqual(states);
});

const questions: Question[] = [
  { key: 'start', type: 'date', label: 'When do you start?', required: true },
  {
    key: 'mode',
    type: 'several',
    label: 'How?',
    required: true,
    options: [{ value: 'full', label: 'Full time' }],
  },
];

test('an answer has a name where it stands alone', () => {
  const label = (path: string) => labelOf(path, questions);
  expect(label('education.mastersCountry')).toBe('Country of the master’s degree');
  expect(label('employment.currentEmployer.hoursPerWeek')).toBe('Current employer: hours per week');
  expect(label('employment.previousEmployers.1.name')).toBe('Previous employer 2: employer name');
  expect(label('questionnaire.answers.start')).toBe('When do you start?');
});

test('an answer reads as words', () => {
  const answers: Answers = {
    ...addEmployer(defaults),
    'employment.previousEmployers.0.name': 'Demo Shop',
    'employment.previousEmployers.0.jobTitle': 'Clerk',
    'employment.previousEmployers.0.hoursPerWeek': '20',
    'personalInfo.state': 'TX',
    'financialPlan.selectedPayments': ['gi_bill'],
    'financialPlan.selfPayContribution.upFrontContribution': '1,200.50',
    'questionnaire.answers.start': '2026-05-31',
    'questionnaire.answers.mode': ['full'],
  };
  const words = (path: string) => answerInWords(path, answers, questions);
  expect(words('questionnaire.answers.start')).toBe('May 31, 2026');
  expect(words('questionnaire.answers.mode')).toBe('Full time');
  expect(words('personalInfo.isUSCitizen')).toBe('Yes');
  expect(words('personalInfo.state')).toBe('Texas');
  expect(words('education.country')).toBe('United States');
  expect(words('financialPlan.selectedPayments')).toBe('GI Bill');
  expect(words('financialPlan.selfPayContribution.upFrontContribution')).toBe('$1,200.50');
  expect(words('creditTransfer.selectedPrograms')).toBe('No answer');
  expect(words('employment.previousEmployers')).toBe('Demo Shop, Clerk, 20 hours per week, Less than 1 year');
});
