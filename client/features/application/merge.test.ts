import { describe, expect, test } from 'vitest';
import { addEmployer, defaults, type Answers } from './answers';
import { merge } from './merge';

const NAME = 'employment.currentEmployer.name';
const EMPLOYED = 'employment.isCurrentlyEmployed';
const PAYMENTS = 'financialPlan.selectedPayments';
const UP_FRONT = 'financialPlan.selfPayContribution.upFrontContribution';
const row = (index: number) => `employment.previousEmployers.${index}.name`;

const base: Answers = { ...defaults, [NAME]: 'Sample Works', [PAYMENTS]: ['self_pay'], [UP_FRONT]: '500' };
const twoEmployers: Answers = {
  ...addEmployer(addEmployer({ ...base, 'employment.hasPreviousEmployment': 'yes' })),
  [row(0)]: 'First',
  [row(1)]: 'Second',
};

function merged(mine: Answers, theirs: Answers, from = base) {
  const { answers, conflicts } = merge(from, { ...from, ...mine }, { ...from, ...theirs });
  return { answers, conflicts };
}

describe('three-way merge', () => {
  test('takes each side’s own changes', () => {
    const { answers, conflicts } = merged({ [NAME]: 'Mine' }, { 'personalInfo.state': 'UT' });
    expect(answers).toMatchObject({ [NAME]: 'Mine', 'personalInfo.state': 'UT' });
    expect(conflicts).toEqual([]);
  });

  test('says where both sides changed an answer, and keeps mine there', () => {
    const { answers, conflicts } = merged({ [NAME]: 'Mine' }, { [NAME]: 'Theirs' });
    expect(answers[NAME]).toBe('Mine');
    expect(conflicts).toEqual([NAME]);
  });

  test('the same change on both sides is no conflict, and stays as it was typed', () => {
    const { answers, conflicts } = merged({ [UP_FRONT]: '$1200.5' }, { [UP_FRONT]: '1,200.50' });
    expect(answers[UP_FRONT]).toBe('$1200.5');
    expect(conflicts).toEqual([]);
  });

  test('choices in a list are merged one by one', () => {
    const { answers, conflicts } = merged(
      { [PAYMENTS]: ['self_pay', 'gi_bill'] },
      { [PAYMENTS]: ['employer'] },
    );
    expect(answers[PAYMENTS]).toEqual(['gi_bill', 'employer']);
    expect(conflicts).toEqual([]);
  });

  test('an answer that cannot be read is a change like any other', () => {
    expect(merged({ [UP_FRONT]: 'lots' }, { [UP_FRONT]: '600' }).conflicts).toEqual([UP_FRONT]);
    expect(merged({ [UP_FRONT]: 'lots' }, { [NAME]: 'Theirs' }).answers).toMatchObject({
      [UP_FRONT]: 'lots',
      [NAME]: 'Theirs',
    });
  });
});

describe('previous employers', () => {
  test('are merged row by row while there are as many', () => {
    const { answers, conflicts } = merged({ [row(0)]: 'Mine' }, { [row(1)]: 'Theirs' }, twoEmployers);
    expect(answers).toMatchObject({ [row(0)]: 'Mine', [row(1)]: 'Theirs' });
    expect(conflicts).toEqual([]);
  });

  test('are one answer when rows were added', () => {
    const three = { ...addEmployer(twoEmployers), [row(2)]: 'Third' };
    expect(merge(twoEmployers, twoEmployers, three).answers[row(2)]).toBe('Third');
    const both = merge(twoEmployers, { ...twoEmployers, [row(0)]: 'Mine' }, three);
    expect(both.conflicts).toEqual(['employment.previousEmployers']);
    expect(both.answers[row(0)]).toBe('Mine');
  });
});

describe('a question that one side no longer asks', () => {
  test('is hidden when nobody else has answered it', () => {
    const { answers, conflicts } = merged({}, { [EMPLOYED]: 'no', [NAME]: '' });
    expect(answers[EMPLOYED]).toBe('no');
    expect(answers[NAME]).toBe('Sample Works');
    expect(conflicts).toEqual([]);
  });

  test('stays open when I answered it meanwhile', () => {
    const { answers, conflicts } = merged({ [NAME]: 'Mine' }, { [EMPLOYED]: 'no', [NAME]: '' });
    expect(answers).toMatchObject({ [EMPLOYED]: 'yes', [NAME]: 'Mine' });
    expect(conflicts).toEqual([EMPLOYED]);
  });

  test('stays open when I hid it and they answered it', () => {
    const { answers, conflicts } = merged({ [EMPLOYED]: 'no' }, { [NAME]: 'Theirs' });
    expect(answers).toMatchObject({ [EMPLOYED]: 'no', [NAME]: 'Theirs' });
    expect(conflicts).toEqual([EMPLOYED]);
  });

  test('is asked again when they ask and answer it', () => {
    const away = { ...base, [EMPLOYED]: 'no', [NAME]: '' };
    const { answers, conflicts } = merged({}, { [EMPLOYED]: 'yes', [NAME]: 'Theirs' }, away);
    expect(answers).toMatchObject({ [EMPLOYED]: 'yes', [NAME]: 'Theirs' });
    expect(conflicts).toEqual([]);
  });

  test('holds for the contribution of those who no longer pay themselves', () => {
    const { answers, conflicts } = merged({ [UP_FRONT]: '700' }, { [PAYMENTS]: [], [UP_FRONT]: '' });
    expect(answers).toMatchObject({ [PAYMENTS]: ['self_pay'], [UP_FRONT]: '700' });
    expect(conflicts).toEqual([PAYMENTS]);
  });
});
