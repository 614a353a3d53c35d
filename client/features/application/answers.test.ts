import { describe, expect, test } from 'vitest';
import type { ApplicationData } from '../../api/page.gen';
import {
  addEmployer,
  answerOfError,
  answersOf,
  canonical,
  defaults,
  employerCount,
  errorsIn,
  isHidden,
  patchOf,
  postedAnswers,
  removeEmployer,
  sendable,
  wholePatchOf,
  type Answers,
} from './answers';

const HOURS = 'employment.currentEmployer.hoursPerWeek';
const UP_FRONT = 'financialPlan.selfPayContribution.upFrontContribution';

const stored: ApplicationData = {
  personalInfo: { isUSCitizen: true, isMilitaryAffiliated: false, isDoDEmployee: true, state: 'TX' },
  education: { hasBachelors: true, country: 'US', hasMasters: true, mastersCountry: 'DE' },
  employment: {
    isSeeingCoachingClients: false,
    isCurrentlyEmployed: true,
    currentEmployer: { name: 'Sample Works', jobTitle: 'Planner', hoursPerWeek: 40, yearsInRole: '3-5' },
    hasPreviousEmployment: true,
    previousEmployers: [
      { name: 'Demo Shop', jobTitle: 'Clerk', hoursPerWeek: 20, yearsInRole: '<1' },
      { name: 'Test Yard', jobTitle: 'Driver', hoursPerWeek: 30, yearsInRole: '1-2' },
    ],
  },
  financialPlan: {
    selectedPayments: ['gi_bill', 'self_pay'],
    selfPayContribution: { upFrontContribution: 120_050, monthlyPaymentContribution: 0 },
  },
  creditTransfer: { selectedPrograms: [] },
  questionnaire: { version: 0, answers: {} },
};

const saved = answersOf(stored);
const change = (answers: Answers) => patchOf(saved, { ...saved, ...answers });

describe('answers of stored data', () => {
  test('are the texts that the inputs hold', () => {
    expect(saved).toMatchObject({
      'personalInfo.isDoDEmployee': 'yes',
      'personalInfo.state': 'TX',
      [HOURS]: '40',
      'employment.previousEmployers.1.name': 'Test Yard',
      'financialPlan.selectedPayments': ['gi_bill', 'self_pay'],
      [UP_FRONT]: '1,200.50',
      'financialPlan.selfPayContribution.monthlyPaymentContribution': '',
    });
  });

  test('without an answer are the defaults of the form', () => {
    expect(defaults).toMatchObject({
      'personalInfo.isUSCitizen': 'yes',
      'personalInfo.state': '',
      'education.country': 'US',
      'employment.isCurrentlyEmployed': 'yes',
      [HOURS]: '0',
      'employment.currentEmployer.yearsInRole': '<1',
    });
    expect(employerCount(defaults)).toBe(0);
  });
});

describe('a change to save', () => {
  test('is nothing when nothing means something else', () => {
    expect(change({})).toBeNull();
    expect(change({ [UP_FRONT]: '$1200.5', 'employment.currentEmployer.name': ' Sample Works ' })).toBeNull();
  });

  test('names only what differs, and the Yes that it implies', () => {
    expect(change({ 'personalInfo.state': '', [HOURS]: '', [UP_FRONT]: '2,000' })).toEqual({
      personalInfo: { state: null },
      employment: { currentEmployer: { hoursPerWeek: 0 }, isCurrentlyEmployed: true },
      financialPlan: { selfPayContribution: { upFrontContribution: 200_000 } },
    });
  });

  test('sends the previous employers as a whole', () => {
    expect(patchOf(saved, removeEmployer(saved, 0) as Answers)).toEqual({
      employment: {
        previousEmployers: [stored.employment.previousEmployers[1]],
        hasPreviousEmployment: true,
      },
    });
  });

  test('takes hidden answers back to their defaults', () => {
    expect(change({ 'education.hasMasters': 'no' })).toEqual({
      education: { hasMasters: false, mastersCountry: 'US' },
    });
    expect(change({ 'employment.hasPreviousEmployment': 'no' })).toEqual({
      employment: { hasPreviousEmployment: false, previousEmployers: [] },
    });
  });

  test('leaves out what is excepted', () => {
    const answers = { ...saved, [HOURS]: 'many', 'personalInfo.state': 'UT' };
    expect(patchOf(saved, sendable(saved, answers, [HOURS]))).toEqual({
      personalInfo: { state: 'UT' },
    });
  });

  test('gives an excepted answer of a new employer its default', () => {
    const path = 'employment.previousEmployers.2.hoursPerWeek';
    const answers = {
      ...addEmployer(saved),
      'employment.previousEmployers.2.name': 'New Place',
      [path]: 'x',
    };
    const patch = patchOf(saved, sendable(saved, answers, [path]));
    expect(patch).toMatchObject({
      employment: { previousEmployers: [{}, {}, { name: 'New Place', hoursPerWeek: 0 }] },
    });
  });
});

describe('reading what was typed', () => {
  test.each([
    ['40.5', 'Hours per week must be a whole number.'],
    ['-', 'Hours per week must be a whole number.'],
    ['1e3', 'Hours per week must be a whole number.'],
    ['-1', 'Hours per week must be between 0 and 168.'],
    ['169', 'Hours per week must be between 0 and 168.'],
    ['168', undefined],
    [' 040 ', undefined],
    ['', undefined],
  ])('hours %j', (text, error) => {
    expect(errorsIn({ ...saved, [HOURS]: text })[HOURS]).toBe(error);
  });

  test.each([
    ['-5', 'Contribution must be 0 or more.'],
    ['12a', 'Enter an amount in dollars, such as 1,200.50.'],
    ['1,000,000.01', 'Contribution must be at most $1,000,000.'],
    ['1,000,000', undefined],
    ['$ 1200.5', undefined],
    ['', undefined],
  ])('amount %j', (text, error) => {
    expect(errorsIn({ ...saved, [UP_FRONT]: text })[UP_FRONT]).toBe(error);
  });

  test('a hidden answer is never wrong', () => {
    const answers = { ...saved, [HOURS]: 'many', 'employment.isCurrentlyEmployed': 'no' };
    expect(isHidden(HOURS, answers)).toBe(true);
    expect(errorsIn(answers)).toEqual({});
  });

  test('what cannot be read stays as it was typed', () => {
    expect(canonical({ ...saved, [HOURS]: 'many' })[HOURS]).toBe('many');
  });
});

describe('previous employers', () => {
  test('are at most twenty', () => {
    let answers = saved;
    for (let index = 0; index < 30; index += 1) answers = addEmployer(answers);
    expect(employerCount(answers)).toBe(20);
    expect(answers['employment.previousEmployers.19.yearsInRole']).toBe('<1');
  });

  test('move up when one is removed, and their errors with them', () => {
    const path = (index: number) => `employment.previousEmployers.${index}.hoursPerWeek`;
    expect(removeEmployer({ [path(0)]: 'a', [path(1)]: 'b', [HOURS]: 'c' }, 0)).toEqual({
      [path(0)]: 'b',
      [HOURS]: 'c',
    });
  });
});

test('an error belongs to the nearest answer', () => {
  expect(answerOfError('financialPlan.selectedPayments.3', saved)).toBe('financialPlan.selectedPayments');
  expect(answerOfError('employment.previousEmployers.7', saved)).toBe('employment.previousEmployers');
  expect(answerOfError('applicationType', saved)).toBeNull();
  expect(answerOfError('constructor', saved)).toBeNull();
});

test('a posted form wins over what is stored, row by row', () => {
  const answers = postedAnswers(saved, {
    revision: '4',
    [HOURS]: 'many',
    'financialPlan.selectedPayments': ['', 'employer'],
    'creditTransfer.selectedPrograms': '',
    'employment.previousEmployers.0.name': 'Only One',
  });
  expect(answers[HOURS]).toBe('many');
  expect(answers['financialPlan.selectedPayments']).toEqual(['employer']);
  expect(answers['creditTransfer.selectedPrograms']).toEqual([]);
  expect(answers['personalInfo.state']).toBe('TX');
  expect(employerCount(answers)).toBe(1);
  expect(answers).not.toHaveProperty('revision');
});

describe('all that is shown', () => {
  const everything = () => true;

  test('is sent with its defaults, and nothing that is hidden', () => {
    expect(wholePatchOf(defaults, defaults, [], everything)).toEqual({
      personalInfo: { isUSCitizen: true, state: null, isMilitaryAffiliated: false, isDoDEmployee: false },
      education: { hasBachelors: true, country: 'US', hasMasters: false },
      employment: {
        isSeeingCoachingClients: false,
        isCurrentlyEmployed: true,
        currentEmployer: { name: '', jobTitle: '', hoursPerWeek: 0, yearsInRole: '<1' },
        hasPreviousEmployment: false,
      },
      financialPlan: { selectedPayments: [] },
      creditTransfer: { selectedPrograms: [] },
    });
    const answers = { ...defaults, 'education.hasBachelors': 'no' };
    const abroad = wholePatchOf(defaults, answers, [], everything);
    expect(abroad['education']).toEqual({ hasBachelors: false, hasMasters: false });
  });

  test('is sent without what cannot be sent', () => {
    const patch = wholePatchOf(defaults, defaults, [HOURS, 'creditTransfer.selectedPrograms'], everything);
    expect(patch['employment']).toMatchObject({
      currentEmployer: { name: '', jobTitle: '', yearsInRole: '<1' },
    });
    expect(patch['employment']).not.toHaveProperty('currentEmployer.hoursPerWeek');
    expect(patch).not.toHaveProperty('creditTransfer');
  });

  test('is sent of the section that was meant, and what has changed elsewhere with it', () => {
    const answers = { ...defaults, 'personalInfo.state': 'TX' };
    const patch = wholePatchOf(defaults, answers, [], (path) => path.startsWith('creditTransfer.'));
    expect(patch).toEqual({ personalInfo: { state: 'TX' }, creditTransfer: { selectedPrograms: [] } });
  });
});
