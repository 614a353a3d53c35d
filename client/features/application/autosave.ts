// Saves the form automatically: when to send, how to handle each answer of the server, and what to keep in the browser
// until then. Timers, network and storage are passed in or global, so that tests can control them.

import type { SaveFailure, SaveResult, StoredApplication } from '../../api/application';
import type { SectionId } from '../../api/page.gen';
import { OTHER_ACCOUNT } from '../../api/session';
import type { AnswerPatch } from './answers';
import type { Drafts } from './drafts';
import { isUnsaved, nextSave, openErrors, reduce, type Event, type State } from './state';

/** Milliseconds between the last change and the save. */
const PAUSE = 800;
/** Seconds between attempts while the server cannot be reached; the last one repeats. */
const RETRY_PAUSES = [2, 4, 8, 16, 30];

export interface AutosavePorts {
  save(change: { patch: AnswerPatch; revision: number; switchProgram: boolean }): Promise<SaveResult>;
  drafts: Drafts;
  /** Notifies the browser's other tabs. */
  announce(stored: StoredApplication): void;
  /** When it was saved, "Saved 14:02", in local time. */
  savedText(stored: StoredApplication): string;
  now(): number;
}

export interface Autosave {
  getState(): State;
  subscribe(listener: () => void): () => void;
  dispatch(event: Event): void;
  /** Restores the drafts and starts saving; before that, events only change the state. */
  start(ports: AutosavePorts): void;
  /** Saves immediately, without waiting for the pause; resolves when the server has answered. */
  flush(): Promise<void>;
  /** Saves everything that a section shows, including defaults; resolves when the server has answered. */
  saveSection(section: SectionId): Promise<void>;
  /** Whether everything is saved and nothing in it is wrong. */
  isWell(): boolean;
  /** Whether leaving the page would lose something: unsaved answers without a draft in the browser. */
  wouldLose(): boolean;
  /** Discards unsaved answers and their draft. */
  abandon(): void;
  /** Sends what is left and stops. */
  stop(): void;
}

export function createAutosave(initial: State): Autosave {
  let state = initial;
  let ports: AutosavePorts | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flight: Promise<void> | null = null;
  let failures = 0;
  let stopped = true;
  let draftKept = true;
  const listeners = new Set<() => void>();

  function dispatch(event: Event): void {
    const before = state;
    state = reduce(state, event);
    if (state === before) return;
    keepDraft();
    schedule(before);
    for (const listener of listeners) listener();
  }

  function keepDraft(): void {
    if (!ports) return;
    if (isUnsaved(state)) {
      const { answers, saved, conflicts, meant } = state;
      draftKept = ports.drafts.keep({ answers, base: saved, conflicts, meant, writtenAt: ports.now() });
    } else {
      draftKept = true;
      ports.drafts.clear();
    }
  }

  /** Schedules nothing while a save is running: its end checks again. */
  function schedule(before: State): void {
    if (flight || state.phase !== 'idle') return;
    const changed =
      before.answers !== state.answers ||
      before.conflicts !== state.conflicts ||
      before.meant !== state.meant ||
      before.phase !== state.phase;
    if (changed) plan(PAUSE);
  }

  function plan(pause: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => void send(), pause);
  }

  function send(): Promise<void> {
    clearTimeout(timer);
    flight ??= attempt().finally(() => {
      flight = null;
      if (state.phase === 'idle' && nextSave(state)) plan(PAUSE);
    });
    return flight;
  }

  function isUnderWay(): boolean {
    return state.phase === 'saving' || state.phase === 'retrying';
  }

  async function attempt(): Promise<void> {
    if (!ports || !(state.phase === 'idle' || isUnderWay())) return;
    dispatch({ type: 'checked' });
    // Two more rounds are enough for one rejection and one change from elsewhere; anything further waits for the next
    // save.
    for (let round = 0; round < 3; round += 1) {
      const next = nextSave(state);
      if (!next) break;
      dispatch({ type: 'sent' });
      const { revision, switchProgram } = state;
      const result = await ports.save({ patch: next.patch, revision, switchProgram });
      if (result.ok) {
        failures = 0;
        const stored = result.application;
        const { answers: sent, meant } = next;
        dispatch({ type: 'saved', sent, stored, savedText: ports.savedText(stored), meant });
        ports.announce(stored);
        return;
      }
      if (!goesOn(result, revision)) return;
    }
    if (isUnderWay()) dispatch({ type: 'resumed' });
  }

  /** Whether another round can succeed immediately. */
  function goesOn(failure: SaveFailure, revision: number): boolean {
    const { status, code, current, fields, error, retryAfter } = failure;
    if (status === undefined || status >= 500 || status === 429) {
      const pause = RETRY_PAUSES[Math.min(failures, RETRY_PAUSES.length - 1)]!;
      failures += 1;
      dispatch({ type: 'unanswered' });
      plan(Math.max(pause, retryAfter ?? 0) * 1000);
      return false;
    }
    failures = 0;
    if (status === 412 && current && current.revision !== revision) {
      dispatch({ type: 'changed elsewhere', stored: current, savedText: ports!.savedText(current) });
      return true;
    }
    if (status === 422 && fields) {
      dispatch({ type: 'rejected', fields, sentence: error });
      return state.phase === 'idle';
    }
    if (status === 401) {
      dispatch({ type: 'stopped', phase: code === OTHER_ACCOUNT ? 'other-account' : 'signed-out' });
    } else if (code === 'application.other_program') dispatch({ type: 'stopped', phase: 'other-program' });
    else dispatch({ type: 'refused', sentence: error });
    return false;
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch,
    start(given) {
      ports = given;
      stopped = false;
      for (const draft of ports.drafts.find()) dispatch({ type: 'draft found', draft });
      keepDraft();
      if (nextSave(state)) plan(PAUSE);
    },
    flush: send,
    async saveSection(section) {
      dispatch({ type: 'section meant', section });
      await send();
      // The first save may already have been running.
      if (state.meant.includes(section) && state.phase === 'idle') await send();
    },
    isWell() {
      const isRight = Object.keys(openErrors(state)).length === 0 && state.conflicts.length === 0;
      return isRight && state.phase === 'idle' && !isUnsaved(state);
    },
    wouldLose: () => !draftKept && isUnsaved(state),
    abandon() {
      ports?.drafts.clear();
      ports = null;
      stopped = true;
      draftKept = true;
    },
    stop() {
      stopped = true;
      void send();
    },
  };
}
