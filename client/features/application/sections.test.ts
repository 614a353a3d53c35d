import { describe, expect, test } from 'vitest';
import { addEmployer, defaults, type Answers } from './answers';
import { answerInWords, labelOf, missingAnswers, sectionStates, type SectionId } from './sections';

const states = (answers: Answers, visited: SectionId[] = [], errors = {}) =>
  sectionStates({ ...defaults, ...answers }, errors, visited);

const employed: Answers = {
  'employment.currentEmployer.name': 'Sample Works',
  'employment.currentEmployer.jobTitle': 'Planner',
};

describe('section states', () => {
  test('nothing is started at first', () => {
    expect(new Set(Object.values(states({})))).toEqual(new Set(['not-started']));
  });

  test('a section whose defaults are right is complete once it was visited', () => {
    expect(states({}, ['military'])).toMatchObject({ military: 'complete', 'about-you': 'not-started' });
  });

  test('sections before an answered one have been passed', () => {
    expect(states({ 'education.hasMasters': 'yes' })).toMatchObject({
      'about-you': 'complete',
      military: 'complete',
      education: 'complete',
      employment: 'not-started',
    });
  });

  test('a missing answer leaves a section in progress', () => {
    const { 'employment.currentEmployer.jobTitle': _, ...nameOnly } = employed;
    expect(states(nameOnly).employment).toBe('in-progress');
    expect(states(employed).employment).toBe('complete');
    expect(states({ 'employment.isCurrentlyEmployed': 'no' }).employment).toBe('complete');
  });

  test('an error leaves a section in progress', () => {
    expect(states(employed, [], { 'employment.currentEmployer.name': 'Too long.' }).employment).toBe(
      'in-progress',
    );
  });
});

describe('missing answers', () => {
  const missing = (answers: Answers) => missingAnswers({ ...defaults, ...employed, ...answers });

  test('a previous employer is needed when there was one', () => {
    expect(missing({ 'employment.hasPreviousEmployment': 'yes' })).toContain(
      'employment.previousEmployers.0.name',
    );
    const one = addEmployer({ ...defaults, 'employment.hasPreviousEmployment': 'yes' });
    expect(missingAnswers(one)).toContain('employment.previousEmployers.0.jobTitle');
    expect(missing({})).toEqual(['financialPlan.selectedPayments']);
  });

  test('who pays themselves says how much, in one way or the other', () => {
    const path = 'financialPlan.selfPayContribution.upFrontContribution';
    const selfPay = { 'financialPlan.selectedPayments': ['self_pay'] };
    expect(missing(selfPay)).toContain(path);
    expect(missing({ ...selfPay, [path]: '300' })).toEqual([]);
    expect(missing({ 'financialPlan.selectedPayments': ['gi_bill'] })).toEqual([]);
  });
});

test('an answer has a name where it stands alone', () => {
  expect(labelOf('education.mastersCountry')).toBe('Country of the master’s degree');
  expect(labelOf('employment.currentEmployer.hoursPerWeek')).toBe('Current employer: hours per week');
  expect(labelOf('employment.previousEmployers.1.name')).toBe('Previous employer 2: employer name');
});

test('an answer reads as words', () => {
  const choices = {
    payments: [{ value: 'gi_bill', label: 'GI Bill' }],
    transferPrograms: [],
    yearsInRole: [{ value: '<1', label: 'Less than 1 year' }],
  };
  const answers: Answers = {
    ...addEmployer(defaults),
    'employment.previousEmployers.0.name': 'Demo Shop',
    'employment.previousEmployers.0.jobTitle': 'Clerk',
    'employment.previousEmployers.0.hoursPerWeek': '20',
    'personalInfo.state': 'TX',
    'financialPlan.selectedPayments': ['gi_bill'],
    'financialPlan.selfPayContribution.upFrontContribution': '1,200.50',
  };
  const words = (path: string) => answerInWords(path, answers, choices);
  expect(words('personalInfo.isUSCitizen')).toBe('Yes');
  expect(words('personalInfo.state')).toBe('Texas');
  expect(words('education.country')).toBe('United States');
  expect(words('financialPlan.selectedPayments')).toBe('GI Bill');
  expect(words('financialPlan.selfPayContribution.upFrontContribution')).toBe('$1,200.50');
  expect(words('creditTransfer.selectedPrograms')).toBe('No answer');
  expect(words('employment.previousEmployers')).toBe('Demo Shop, Clerk, 20 hours per week, Less than 1 year');
});
