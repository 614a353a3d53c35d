import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SaveResult } from '../../api/application';
import { createAutosave, type AutosavePorts } from './autosave';
import type { Draft } from './drafts';
import { initialState, saveStateOf } from './state';
import { applicationProps, storedApplication } from './testing';

const NAME = 'employment.currentEmployer.name';

type Save = AutosavePorts['save'];

function world(...answers: (SaveResult | Promise<SaveResult>)[]) {
  const props = applicationProps();
  const autosave = createAutosave(initialState(props, props.application!));
  const save = vi.fn<Save>(async () => answers.shift() ?? { ok: false, error: 'No answer was planned.' });
  let draft: Draft | null = null;
  let keeps = true;
  const ports = {
    save,
    drafts: {
      find: vi.fn(() => [] as Draft[]),
      keep: vi.fn((kept: Draft) => {
        draft = kept;
        return keeps;
      }),
      clear: vi.fn(() => {
        draft = null;
      }),
    },
    announce: vi.fn(),
    savedText: () => 'Saved 14:02',
    now: () => 1,
  };
  return {
    autosave,
    save,
    ports,
    start: () => autosave.start(ports),
    type: (answer: string, path = NAME) => autosave.dispatch({ type: 'answered', path, answer }),
    text: () => saveStateOf(autosave.getState()).text,
    draft: () => draft,
    refuseDrafts: () => {
      keeps = false;
    },
  };
}

const ok = (revision: number, name: string): SaveResult => ({ ok: true, application: named(revision, name) });
const away: SaveResult = { ok: false, error: 'An error occurred' };

function named(revision: number, name: string) {
  return storedApplication(revision, (data) => {
    data.employment.currentEmployer.name = name;
  });
}

function later<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('autosave', () => {
  test('sends the change 800 ms after the last key', async () => {
    const { start, type, save, text, ports, draft } = world(ok(4, 'Sample'));
    start();
    type('Sam');
    await vi.advanceTimersByTimeAsync(700);
    type('Sample');
    await vi.advanceTimersByTimeAsync(799);
    expect(save).not.toHaveBeenCalled();
    expect(draft()?.answers[NAME]).toBe('Sample');
    await vi.advanceTimersByTimeAsync(1);
    expect(save).toHaveBeenCalledExactlyOnceWith({
      patch: { employment: { currentEmployer: { name: 'Sample' }, isCurrentlyEmployed: true } },
      revision: 3,
      switchProgram: false,
    });
    expect(text()).toBe('Saved 14:02');
    expect(draft()).toBeNull();
    expect(ports.announce).toHaveBeenCalledExactlyOnceWith(named(4, 'Sample'));
  });

  test('has one request under way at a time', async () => {
    const first = later<SaveResult>();
    const { start, type, save } = world(first.promise, ok(5, 'Sample'));
    start();
    type('Sam');
    await vi.advanceTimersByTimeAsync(800);
    type('Sample');
    await vi.advanceTimersByTimeAsync(5000);
    expect(save).toHaveBeenCalledTimes(1);
    first.resolve(ok(4, 'Sam'));
    await vi.advanceTimersByTimeAsync(800);
    expect(save).toHaveBeenCalledTimes(2);
    expect(save.mock.lastCall?.[0].revision).toBe(4);
  });

  test('tries again with growing pauses, and says so', async () => {
    const { start, type, save, text, draft } = world(away, { ...away, status: 503 }, away, ok(4, 'Sample'));
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(800);
    expect(text()).toBe('Not saved, retrying');
    expect(draft()?.answers[NAME]).toBe('Sample');
    for (const [pause, calls] of [
      [2, 2],
      [4, 3],
      [8, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(pause * 1000 - 1);
      expect(save).toHaveBeenCalledTimes(calls - 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(save).toHaveBeenCalledTimes(calls);
    }
    expect(text()).toBe('Saved 14:02');
  });

  test('waits as long as the server asks', async () => {
    const { start, type, save } = world({ ...away, status: 429, retryAfter: 60 }, ok(4, 'Sample'));
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(800 + 59_999);
    expect(save).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(save).toHaveBeenCalledTimes(2);
  });

  test('retries at once when asked to, and forgets a change that was taken back', async () => {
    const { start, type, save, autosave, text } = world(away, away);
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(800);
    await autosave.flush();
    expect(save).toHaveBeenCalledTimes(2);
    type('');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(save).toHaveBeenCalledTimes(2);
    expect(text()).toBe('Not saved yet');
  });

  test('sends the rest at once when an answer is rejected', async () => {
    const { start, type, save, text, draft } = world(
      { ok: false, status: 422, error: 'No.', fields: { [NAME]: 'Too long.' } },
      ok(4, ''),
    );
    start();
    type('Much too long');
    type('TX', 'personalInfo.state');
    await vi.advanceTimersByTimeAsync(800);
    expect(save.mock.lastCall?.[0].patch).toEqual({ personalInfo: { state: 'TX' } });
    expect(text()).toBe('1 answer needs attention');
    expect(draft()?.answers[NAME]).toBe('Much too long');
  });

  test('merges and sends again when somebody else has saved', async () => {
    const current = storedApplication(7, (data) => {
      data.personalInfo.state = 'UT';
    });
    const both = named(8, 'Sample');
    both.data.personalInfo.state = 'UT';
    const { start, type, save, autosave } = world(
      { ok: false, status: 412, code: 'application.stale', error: 'Stale.', current },
      { ok: true, application: both },
    );
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(800);
    expect(save.mock.lastCall?.[0]).toMatchObject({
      revision: 7,
      patch: { employment: { currentEmployer: { name: 'Sample' }, isCurrentlyEmployed: true } },
    });
    expect(autosave.getState().answers['personalInfo.state']).toBe('UT');
  });

  test('sends nothing of an answer in conflict until it is settled', async () => {
    const { start, type, save, autosave, text, draft } = world(
      { ok: false, status: 412, error: 'Stale.', current: named(7, 'Theirs') },
      ok(8, 'Mine'),
    );
    start();
    type('Mine');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(save).toHaveBeenCalledTimes(1);
    expect(text()).toBe('1 answer changed elsewhere');
    expect(draft()?.conflicts).toEqual([NAME]);
    autosave.dispatch({ type: 'chosen', path: NAME, whose: 'mine' });
    await vi.advanceTimersByTimeAsync(800);
    expect(save.mock.lastCall?.[0].revision).toBe(7);
    expect(text()).toBe('Saved 14:02');
  });

  test('stops when the session has ended, and goes on after logging in', async () => {
    const { start, type, save, autosave, text, draft } = world(
      { ok: false, status: 401, code: 'session.revoked', error: 'Log in.' },
      ok(4, 'Sample, still typing'),
    );
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(800);
    expect(text()).toBe('Not saved, you are logged out');
    type('Sample, still typing');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(save).toHaveBeenCalledTimes(1);
    expect(draft()?.answers[NAME]).toBe('Sample, still typing');
    autosave.dispatch({ type: 'resumed' });
    await autosave.flush();
    expect(text()).toBe('Saved 14:02');
  });

  test('asks before it switches the program', async () => {
    const { start, type, save, autosave } = world(
      { ok: false, status: 409, code: 'application.other_program', error: 'Other program.' },
      ok(4, 'Sample'),
    );
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(800);
    expect(autosave.getState().phase).toBe('other-program');
    autosave.dispatch({ type: 'resumed', switchProgram: true });
    await vi.advanceTimersByTimeAsync(800);
    expect(save.mock.lastCall?.[0].switchProgram).toBe(true);
  });

  test('does not repeat what the server refuses for good', async () => {
    const { start, type, save, autosave } = world({
      ok: false,
      status: 404,
      error: 'There is no application.',
    });
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(save).toHaveBeenCalledTimes(1);
    expect(autosave.getState().refusal).toBe('There is no application.');
  });

  test('takes up a draft and saves it', async () => {
    const { start, ports, save } = world(ok(4, 'Drafted'));
    const { saved } = initialState(applicationProps(), storedState());
    ports.drafts.find.mockReturnValue([
      { answers: { ...saved, [NAME]: 'Drafted' }, base: saved, conflicts: [], meant: [], writtenAt: 1 },
    ]);
    start();
    await vi.advanceTimersByTimeAsync(800);
    expect(save.mock.lastCall?.[0].patch).toEqual({
      employment: { currentEmployer: { name: 'Drafted' }, isCurrentlyEmployed: true },
    });
  });

  test('would lose something only when the browser keeps no draft', () => {
    const { start, type, autosave, refuseDrafts } = world();
    start();
    type('Sample');
    expect(autosave.wouldLose()).toBe(false);
    refuseDrafts();
    type('Sample Works');
    expect(autosave.wouldLose()).toBe(true);
    type('');
    expect(autosave.wouldLose()).toBe(false);
  });

  test('sends what is left when it stops', async () => {
    const { start, type, autosave, save, draft } = world(ok(4, 'Sample'));
    start();
    type('Sample');
    autosave.stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(save).toHaveBeenCalledTimes(1);
    expect(draft()).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(save).toHaveBeenCalledTimes(1);
  });
});

function storedState() {
  return { ...storedApplication(3), savedText: null };
}

describe('a section that the person is done with', () => {
  test('is sent as it is shown, also when nothing was changed', async () => {
    const { autosave, save, start } = world(ok(4, ''));
    start();
    await autosave.saveSection('about-you');
    expect(autosave.isWell()).toBe(true);
    expect(save).toHaveBeenCalledOnce();
    expect(save.mock.calls[0]![0].patch).toEqual({ personalInfo: { isUSCitizen: true, state: null } });
    await vi.runAllTimersAsync();
    expect(save).toHaveBeenCalledOnce();
  });

  test('waits for a save that is under way', async () => {
    const first = later<SaveResult>();
    const { autosave, save, start, type } = world(first.promise, ok(5, 'Sample'));
    start();
    type('Sample');
    await vi.advanceTimersByTimeAsync(800);
    const done = autosave.saveSection('employment');
    first.resolve(ok(4, 'Sample'));
    await done;
    expect(autosave.isWell()).toBe(true);
    expect(save).toHaveBeenCalledTimes(2);
    expect(save.mock.calls[1]![0]).toMatchObject({
      revision: 4,
      patch: { employment: { currentEmployer: { name: 'Sample' }, isCurrentlyEmployed: true } },
    });
  });

  test('is not well with an answer that is wrong, of which the rest is sent', async () => {
    const wrong = world(ok(4, ''));
    wrong.start();
    wrong.type('many', 'employment.currentEmployer.hoursPerWeek');
    await wrong.autosave.saveSection('employment');
    expect(wrong.autosave.isWell()).toBe(false);
    expect(wrong.save.mock.calls[0]![0].patch).toMatchObject({
      employment: { isSeeingCoachingClients: false },
    });
    expect(JSON.stringify(wrong.save.mock.calls[0]![0].patch)).not.toContain('hoursPerWeek');
  });

  test('is sent when the server is back, from the draft too', async () => {
    const offline = world(away, away);
    offline.start();
    await offline.autosave.saveSection('military');
    await offline.autosave.saveSection('about-you');
    expect(offline.autosave.isWell()).toBe(false);
    expect(offline.text()).toBe('Not saved, retrying');
    expect(offline.draft()?.meant).toEqual(['military', 'about-you']);

    const again = world(ok(4, ''));
    again.ports.drafts.find.mockReturnValue([offline.draft()!]);
    again.start();
    await vi.advanceTimersByTimeAsync(800);
    expect(again.save.mock.calls[0]![0].patch).toEqual({
      personalInfo: { isUSCitizen: true, state: null, isMilitaryAffiliated: false, isDoDEmployee: false },
    });
    expect(again.autosave.isWell()).toBe(true);
    offline.autosave.stop();
  });
});
