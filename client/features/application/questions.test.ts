import { describe, expect, test } from 'vitest';
import type { Question } from '../../api/page.gen';
import { answersOf, canonical, comparablePaths, patchOf, postedAnswers } from './answers';
import { askedQuestions, blankAnswers, isQuestionPath, questionPath, withAskedOnly } from './questions';
import { initialState, isUnsaved, nextSave, reduce } from './state';
import { applicationProps, blankData, storedApplication } from './testing';

const base = { label: 'A question', required: true };
const options = [
  { value: 'full', label: 'Full time' },
  { value: 'part', label: 'Part time' },
];
const questions: Question[] = [
  { ...base, key: 'abroad', type: 'yesNo' },
  { ...base, key: 'where', type: 'text', maxLength: 50, onlyIf: { question: 'abroad', is: true } },
  { ...base, key: 'days', type: 'several', options },
  { ...base, key: 'hours', type: 'number', onlyIf: { question: 'days', is: 'part' } },
];
const ABROAD = questionPath('abroad');
const WHERE = questionPath('where');
const DAYS = questionPath('days');
const HOURS = questionPath('hours');

const blank = blankAnswers(questions);
const keys = (answers: Record<string, string | string[]>) =>
  askedQuestions(questions, { ...blank, ...answers }).map(({ key }) => key);

test('a question is asked after the answer that it depends on', () => {
  expect(keys({})).toEqual(['abroad', 'days']);
  expect(keys({ [ABROAD]: 'yes' })).toEqual(['abroad', 'where', 'days']);
  expect(keys({ [ABROAD]: 'no', [DAYS]: ['full', 'part'] })).toEqual(['abroad', 'days', 'hours']);
});

test('what is not asked for is laid aside, and comes back when it is', () => {
  const yes = { ...blank, [ABROAD]: 'yes', [WHERE]: 'Norway' };
  expect(withAskedOnly(questions, yes, {})).toEqual({ answers: yes, aside: {} });
  const no = withAskedOnly(questions, { ...yes, [ABROAD]: 'no' }, {});
  expect(no.answers[WHERE]).toBe('');
  const again = withAskedOnly(questions, { ...no.answers, [ABROAD]: 'yes' }, no.aside);
  expect(again).toEqual({ answers: yes, aside: {} });
});

describe('answers to questions of staff', () => {
  const stored = answersOf({
    ...blankData(),
    questionnaire: { version: 1, answers: { abroad: false, hours: 12, days: ['full'], where: 'Norway' } },
  });

  test('are shown as text', () => {
    expect(stored).toMatchObject({ [ABROAD]: 'no', [HOURS]: '12', [DAYS]: ['full'], [WHERE]: 'Norway' });
  });

  test('are sent where they differ, an empty one to take it back', () => {
    const now = { ...stored, [WHERE]: ' Oslo ', [HOURS]: '', [DAYS]: ['part', 'full'] };
    expect(patchOf(stored, now)).toEqual({
      questionnaire: { answers: { where: 'Oslo', hours: '', days: ['part', 'full'] } },
    });
    expect(patchOf(stored, { ...stored })).toBeNull();
  });

  test('are the same, not there and left empty', () => {
    const empty = { ...answersOf(blankData()), ...blank };
    expect(Object.keys(canonical(empty)).filter(isQuestionPath)).toEqual([]);
    expect(patchOf(answersOf(blankData()), empty)).toBeNull();
    expect(comparablePaths(stored, empty)).toEqual(expect.arrayContaining([ABROAD, WHERE, DAYS, HOURS]));
  });

  test('come back with a posted form', () => {
    const posted = { [DAYS]: ['', 'full'], [WHERE]: 'Oslo', [HOURS]: 'many' };
    expect(postedAnswers({ ...stored, ...blank }, posted)).toMatchObject({ ...posted, [DAYS]: ['full'] });
  });

  test('are typed, hidden, saved and shown as the server has them', () => {
    const props = applicationProps();
    const questionnaire = { version: 1, questions };
    let state = initialState({ ...props, questionnaire }, props.application!);
    expect(isUnsaved(state)).toBe(false);
    const answer = (path: string, value: string | string[]) => {
      state = reduce(state, { type: 'answered', path, answer: value });
    };
    answer(ABROAD, 'yes');
    answer(WHERE, 'Norway');
    answer(DAYS, ['part']);
    answer(HOURS, '1,000');
    answer(ABROAD, 'no');
    const sent = nextSave(state)!;
    expect(sent.patch).toEqual({
      questionnaire: { answers: { abroad: 'no', days: ['part'], hours: '1,000' } },
    });
    const saved = storedApplication(4, (data) => {
      data.questionnaire = { version: 1, answers: { abroad: false, days: ['part'], hours: 1000 } };
    });
    state = reduce(state, { type: 'saved', sent: sent.answers, stored: saved, savedText: 'Saved 14:02' });
    expect(isUnsaved(state)).toBe(false);
    expect(state.answers[HOURS]).toBe('1000');
    answer(ABROAD, 'yes');
    expect(state.answers[WHERE]).toBe('Norway');
  });
});
