import { describe, expect, test } from 'vitest';
import type { ApplicationData } from '../../api/page.gen';
import {
  initialState,
  isUnsaved,
  nextSave,
  reduce,
  saveStateOf,
  type Event,
  type State,
  type Stored,
} from './state';
import { applicationProps, blankData, storedApplication } from './testing';

const NAME = 'employment.currentEmployer.name';
const HOURS = 'employment.currentEmployer.hoursPerWeek';

function start(over: Parameters<typeof applicationProps>[0] = {}): State {
  const props = applicationProps(over);
  return initialState(props, props.application!);
}

const after = (state: State, ...events: Event[]) => events.reduce(reduce, state);
const elsewhere = (stored: Stored): Event => ({
  type: 'changed elsewhere',
  stored,
  savedText: 'Saved 14:05',
});
const answered = (path: string, answer: string | string[]): Event => ({ type: 'answered', path, answer });
const named = (revision: number, name: string) =>
  storedApplication(revision, (data) => {
    data.employment.currentEmployer.name = name;
  });

describe('saving', () => {
  test('a fresh form has nothing to save', () => {
    expect(nextSave(start())).toBeNull();
    expect(saveStateOf(start()).text).toBe('Not saved yet');
  });

  test('typing that goes on during a save is kept and saved next', () => {
    const typed = after(start(), answered(NAME, 'Samp'));
    const sent = nextSave(typed)!;
    const state = after(typed, { type: 'sent' }, answered(NAME, 'Sample'), {
      type: 'saved',
      sent: sent.answers,
      stored: named(4, 'Samp'),
      savedText: 'Saved 14:02',
    });
    expect(state.answers[NAME]).toBe('Sample');
    expect(state.revision).toBe(4);
    expect(state.conflicts).toEqual([]);
    expect(nextSave(state)?.patch).toEqual({
      employment: { currentEmployer: { name: 'Sample' }, isCurrentlyEmployed: true },
    });
  });

  test('what the server wrote in its own way is shown', () => {
    const typed = after(start(), answered(NAME, 'cafe\u0301'));
    const sent = nextSave(typed)!.answers;
    const state = after(typed, { type: 'saved', sent, stored: named(4, 'café'), savedText: 'Saved 14:02' });
    expect(state.answers[NAME]).toBe('café');
    expect(isUnsaved(state)).toBe(false);
    expect(saveStateOf(state).text).toBe('Saved 14:02');
  });

  test('a hidden answer stays in the form after the save dropped it', () => {
    const typed = after(start(), answered(NAME, 'Sample'), answered('employment.isCurrentlyEmployed', 'no'));
    const stored = storedApplication(4, (data) => {
      data.employment.isCurrentlyEmployed = false;
    });
    const state = after(typed, { type: 'saved', sent: nextSave(typed)!.answers, stored, savedText: '' });
    expect(state.answers[NAME]).toBe('Sample');
    expect(isUnsaved(state)).toBe(false);
  });
});

describe('answers that are wrong', () => {
  const wrong = after(start(), answered(HOURS, 'many'), answered(NAME, 'Sample'));

  test('are said to be wrong after the pause, not while typing', () => {
    expect(wrong.errors).toEqual({});
    expect(after(wrong, { type: 'checked' }).errors).toEqual({
      [HOURS]: 'Hours per week must be a whole number.',
    });
  });

  test('stay on the page while the rest is sent', () => {
    const checked = after(wrong, { type: 'checked' });
    expect(nextSave(checked)?.patch).toEqual({
      employment: { currentEmployer: { name: 'Sample' }, isCurrentlyEmployed: true },
    });
    const sent = nextSave(checked)!.answers;
    const state = after(checked, {
      type: 'saved',
      sent,
      stored: named(4, 'Sample'),
      savedText: 'Saved 14:02',
    });
    expect(state.answers[HOURS]).toBe('many');
    expect(nextSave(state)).toBeNull();
    expect(isUnsaved(state)).toBe(true);
    expect(saveStateOf(state)).toEqual({ text: '1 answer needs attention', tone: 'problem' });
  });

  test('are sent again once they change', () => {
    const fields = { [NAME]: 'Employer name must be at most 200 characters.', 'personalInfo.state': 'No.' };
    const rejected = after(wrong, { type: 'sent' }, { type: 'rejected', fields, sentence: 'No.' });
    expect(rejected.phase).toBe('idle');
    expect(saveStateOf(rejected).text).toBe('2 answers need attention');
    expect(nextSave(rejected)).toBeNull();
    const corrected = after(rejected, answered(NAME, 'Short'));
    expect(corrected.errors).not.toHaveProperty(NAME);
    expect(nextSave(corrected)?.patch).toEqual({
      employment: { currentEmployer: { name: 'Short' }, isCurrentlyEmployed: true },
    });
  });

  test('a rejection that names no answer of ours stops until something changes', () => {
    const state = after(wrong, { type: 'rejected', fields: { applicationType: 'No.' }, sentence: 'No.' });
    expect(state).toMatchObject({ phase: 'refused', refusal: 'No.' });
    expect(after(state, answered(NAME, 'Other')).phase).toBe('idle');
  });

  test('no longer count when their question is hidden', () => {
    const state = after(wrong, { type: 'checked' }, answered('employment.isCurrentlyEmployed', 'no'));
    expect(saveStateOf(state).text).toBe('Saving…');
  });

  test('move with their employer', () => {
    const path = (index: number) => `employment.previousEmployers.${index}.hoursPerWeek`;
    const state = after(
      start(),
      answered('employment.hasPreviousEmployment', 'yes'),
      { type: 'employer added' },
      { type: 'employer added' },
      answered(path(1), 'x'),
      { type: 'checked' },
      { type: 'employer removed', index: 0 },
    );
    expect(Object.keys(state.errors)).toEqual([path(0)]);
  });
});

describe('changes from elsewhere', () => {
  const mine = after(start(), answered(NAME, 'Mine'));
  const conflict = after(mine, elsewhere(named(5, 'Theirs')));

  test('are taken where nothing was typed here', () => {
    const stored = storedApplication(5, (data) => {
      data.personalInfo.state = 'UT';
    });
    const state = after(mine, elsewhere(stored));
    expect(state.answers).toMatchObject({ [NAME]: 'Mine', 'personalInfo.state': 'UT' });
    expect(state.revision).toBe(5);
  });

  test('an older revision changes nothing', () => {
    expect(after(mine, elsewhere(named(3, 'Theirs')))).toBe(mine);
  });

  test('to the same answer wait for the person, and send nothing of it', () => {
    expect(conflict.conflicts).toEqual([NAME]);
    expect(conflict.answers[NAME]).toBe('Mine');
    expect(nextSave(conflict)).toBeNull();
    expect(saveStateOf(conflict).text).toBe('1 answer changed elsewhere');
  });

  test('keep mine sends mine', () => {
    const state = after(conflict, { type: 'chosen', path: NAME, whose: 'mine' });
    expect(nextSave(state)?.patch).toEqual({
      employment: { currentEmployer: { name: 'Mine' }, isCurrentlyEmployed: true },
    });
  });

  test('take the other shows theirs and sends nothing', () => {
    const state = after(conflict, { type: 'chosen', path: NAME, whose: 'theirs' });
    expect(state.answers[NAME]).toBe('Theirs');
    expect(isUnsaved(state)).toBe(false);
    expect(saveStateOf(state).text).toBe('Saved 14:05');
  });

  test('a conflict outlives the next change from elsewhere, and ends when both agree', () => {
    const again = after(conflict, elsewhere(named(6, 'Theirs, again')));
    expect(again.conflicts).toEqual([NAME]);
    expect(after(again, elsewhere(named(7, 'Mine'))).conflicts).toEqual([]);
  });

  test('hiding a question in conflict does not drop the other answer', () => {
    const hidden = after(conflict, answered('employment.isCurrentlyEmployed', 'no'));
    expect(nextSave(hidden)).toBeNull();
    const state = after(hidden, { type: 'chosen', path: NAME, whose: 'theirs' });
    expect(state.answers).toMatchObject({ [NAME]: 'Theirs', 'employment.isCurrentlyEmployed': 'yes' });
  });

  test('removing an employer makes a conflict about one of them one about all', () => {
    const rows = (revision: number, name: string) =>
      storedApplication(revision, (data) => {
        data.employment.hasPreviousEmployment = true;
        data.employment.previousEmployers = [name, 'Second'].map((each) => ({
          name: each,
          jobTitle: '',
          hoursPerWeek: 0,
          yearsInRole: '<1',
        }));
      });
    const state = after(
      start({ application: { ...rows(3, 'First'), savedText: null } }),
      answered('employment.previousEmployers.0.name', 'Mine'),
      elsewhere(rows(4, 'Theirs')),
      { type: 'employer removed', index: 1 },
    );
    expect(state.conflicts).toEqual(['employment.previousEmployers']);
    expect(nextSave(state)).toBeNull();
  });
});

describe('a draft', () => {
  const draft = (name: string, over = {}) => {
    const state = after(start(), answered(NAME, name));
    return { answers: state.answers, base: state.saved, conflicts: [], meant: [], writtenAt: 1, ...over };
  };

  test('is taken up and saved', () => {
    const state = after(start(), { type: 'draft found', draft: draft('Drafted') });
    expect(nextSave(state)?.patch).toEqual({
      employment: { currentEmployer: { name: 'Drafted' }, isCurrentlyEmployed: true },
    });
  });

  test('meets a newer server as a conflict', () => {
    const newer = start({ application: { ...named(9, 'Theirs'), savedText: null } });
    const state = after(newer, { type: 'draft found', draft: draft('Drafted') });
    expect(state.conflicts).toEqual([NAME]);
    expect(state.answers[NAME]).toBe('Drafted');
  });

  test('keeps its open conflicts', () => {
    const state = after(start(), { type: 'draft found', draft: draft('Drafted', { conflicts: [NAME] }) });
    expect(state.conflicts).toEqual([NAME]);
  });

  test('yields to what was typed on this page since', () => {
    const state = after(start(), answered(NAME, 'Now'), { type: 'draft found', draft: draft('Drafted') });
    expect(state.answers[NAME]).toBe('Now');
  });
});

describe('a form that came back', () => {
  test('with errors shows what was typed', () => {
    const form = {
      values: { [HOURS]: 'many' },
      errors: { [HOURS]: 'Hours per week must be a whole number.' },
    };
    const state = start({ form });
    expect(state.answers[HOURS]).toBe('many');
    expect(nextSave(state)).toBeNull();
  });

  test('with a conflict waits for the choice', () => {
    const state = start({
      application: { ...named(9, 'Theirs'), savedText: null },
      form: { values: { [NAME]: 'Mine' }, errors: {} },
      conflict: [NAME],
    });
    expect(state.conflicts).toEqual([NAME]);
    expect(nextSave(state)).toBeNull();
  });
});

test('a program is switched only after the person agreed', () => {
  const asked = start({
    otherProgram: {
      path: 'masters',
      applicationType: 'msc',
      name: 'Master’s program',
      degree: 'Master of Arts',
    },
  });
  expect(asked.phase).toBe('other-program');
  const agreed = after(asked, { type: 'resumed', switchProgram: true });
  expect(nextSave(agreed)?.patch).toEqual({});
  const stored = { ...storedApplication(4), data: blankData() };
  const done = after(agreed, { type: 'saved', sent: agreed.answers, stored, savedText: 'Saved 14:02' });
  expect(nextSave(done)).toBeNull();
});

test('leaving an input shows what was typed in its usual form', () => {
  const path = 'financialPlan.selfPayContribution.upFrontContribution';
  const typed = after(
    start(),
    answered('financialPlan.selectedPayments', ['self_pay']),
    answered(path, '$1200.5'),
  );
  expect(after(typed, { type: 'left', path }).answers[path]).toBe('1,200.50');
  const wrong = after(typed, answered(path, '12a'));
  expect(after(wrong, { type: 'left', path })).toBe(wrong);
});

describe('what is suggested', () => {
  const suggested = { noCitizenship: true, state: 'TX' };
  const begun = (data?: (data: ApplicationData) => void) =>
    start({ application: { ...storedApplication(3, data), savedText: null, suggested } });

  test('is shown and not saved before its section is', () => {
    const state = begun();
    expect(state.answers['personalInfo.isUSCitizen']).toBe('');
    expect(state.answers['personalInfo.state']).toBe('TX');
    expect(nextSave(state)).toBeNull();
    const meant = reduce(state, { type: 'section meant', section: 'about-you' });
    expect(nextSave(meant)!.patch).toEqual({ personalInfo: { isUSCitizen: null, state: 'TX' } });
  });

  test('stays when something else is saved, and goes once it is answered', () => {
    const typed = after(begun(), answered('personalInfo.isUSCitizen', 'no'));
    const { answers: sent, patch } = nextSave(typed)!;
    expect(patch).toEqual({ personalInfo: { isUSCitizen: false } });
    const stored = storedApplication(4, (data) => {
      data.personalInfo.isUSCitizen = false;
    });
    const saved = reduce(typed, { type: 'saved', sent, stored, savedText: 'Saved 14:02' });
    expect(saved.suggested).toEqual({ 'personalInfo.state': 'TX' });
    expect(saved.answers['personalInfo.isUSCitizen']).toBe('no');
    expect(saved.answers['personalInfo.state']).toBe('TX');
    expect(nextSave(saved)).toBeNull();
  });

  test('gives way to what was answered in another tab', () => {
    const stored = storedApplication(4, (data) => {
      data.personalInfo.state = 'UT';
    });
    const state = after(begun(), elsewhere(stored));
    expect(state.answers['personalInfo.state']).toBe('UT');
    expect(state.answers['personalInfo.isUSCitizen']).toBe('');
    expect(state.conflicts).toEqual([]);
  });
});
