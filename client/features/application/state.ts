// State of the application form, and the events that change it. Everything that uses the server, the browser's storage
// or a clock is in autosave.ts.

import type {
  ApplicationCopy,
  ApplicationData,
  ApplicationProps,
  Question,
  SectionId,
  SectionStates,
} from '../../api/page.gen';
import { t } from '../../api/texts';
import {
  addEmployer,
  answerOfError,
  answersOf,
  errorsIn,
  canonical,
  comparablePaths,
  defaults,
  gateOf,
  isHidden,
  isSamePart,
  patchOf,
  postedAnswers,
  PREVIOUS_EMPLOYERS,
  removeEmployer,
  sendable,
  wholePatchOf,
  withPart,
  type AnswerPatch,
  type Answers,
} from './answers';
import type { Draft } from './drafts';
import { merge } from './merge';
import { blankAnswers, withAskedOnly } from './questions';
import { sectionOf } from './sections';

export type Phase =
  | 'idle'
  | 'saving'
  /** The server could not be reached; saving is retried. */
  | 'retrying'
  /** The server refused for a reason that a retry does not change. */
  | 'refused'
  | 'signed-out'
  /** Another applicant has logged in in this browser. */
  | 'other-account'
  /** The active application is for the other program, and the applicant has not agreed to switch it. */
  | 'other-program';

export interface State {
  /** The questions that staff ask. */
  questions: Question[];
  /** What the form shows. */
  answers: Answers;
  /** Answers to questions of staff that do not currently apply, kept in case they apply again. */
  aside: Answers;
  /** The server's answers at `revision`, with suggestions in place of its defaults. */
  saved: Answers;
  /** Shown for questions that the applicant has not answered yet; sent when they complete the section. */
  suggested: Answers;
  revision: number;
  /** Errors in answers, by path. These answers are not sent until they change. */
  errors: Record<string, string>;
  /** Paths that were changed both here and elsewhere. Not sent until the applicant has chosen. */
  conflicts: string[];
  /** Progress of each section, as reported by the server. */
  sections: SectionStates;
  phase: Phase;
  /** "Saved 14:02" */
  savedText: string | null;
  /** The server's sentence in phase `refused`. */
  refusal: string | null;
  /** The applicant has agreed to switch the program. */
  switchProgram: boolean;
  /** Sections that the applicant has completed: the next save sends everything that they show, including defaults. */
  meant: SectionId[];
}

/** The parts of a stored application that the form needs. */
export interface Stored {
  data: ApplicationData;
  revision: number;
  sections: SectionStates;
}

export type Event =
  | { type: 'answered'; path: string; answer: string | string[] }
  | { type: 'employer added' }
  | { type: 'employer removed'; index: number }
  /** The input lost the focus: what can be parsed is shown in its usual form. */
  | { type: 'left'; path: string }
  | { type: 'draft found'; draft: Draft }
  /** The pause after typing is over: what cannot be parsed is now reported as an error. */
  | { type: 'checked' }
  /** The applicant has completed a section: everything that it shows is to be sent, including defaults. */
  | { type: 'section meant'; section: SectionId }
  | { type: 'sent' }
  /** `sent` is what the save was based on, `savedText` the time in words, `meant` the sections that were sent whole. */
  | { type: 'saved'; sent: Answers; stored: Stored; savedText: string; meant?: SectionId[] }
  /** Another tab, device or user has saved in the meantime; `savedText` is the time in words. */
  | { type: 'changed elsewhere'; stored: Stored; savedText: string | null }
  | { type: 'rejected'; fields: Record<string, string>; sentence: string }
  | { type: 'unanswered' }
  | { type: 'refused'; sentence: string }
  | { type: 'stopped'; phase: 'signed-out' | 'other-account' | 'other-program' }
  /** What stopped saving is resolved: the user has logged in again, or agreed to switch the program. */
  | { type: 'resumed'; switchProgram?: true }
  | { type: 'chosen'; path: string; whose: 'mine' | 'theirs' };

export function initialState(
  props: ApplicationProps,
  application: Stored & Pick<ApplicationCopy, 'savedText' | 'suggested'>,
): State {
  const { questions } = props.questionnaire;
  const suggested = suggestedAnswers(application.suggested);
  const saved = { ...blankAnswers(questions), ...answersOf(application.data), ...suggested };
  const answers = props.form ? postedAnswers(saved, props.form.values) : saved;
  const state: State = {
    questions,
    answers,
    aside: {},
    saved,
    suggested,
    revision: application.revision,
    errors: props.form?.errors ?? {},
    conflicts: [],
    sections: application.sections,
    phase: props.otherProgram ? 'other-program' : 'idle',
    savedText: application.savedText,
    refusal: null,
    switchProgram: false,
    meant: [],
  };
  return withConflicts(state, props.conflict ?? []);
}

/** By path, in the form's notation. */
function suggestedAnswers({ noCitizenship, state }: ApplicationCopy['suggested']): Answers {
  return {
    ...(noCitizenship ? { 'personalInfo.isUSCitizen': '' } : undefined),
    ...(state ? { 'personalInfo.state': state } : undefined),
  };
}

/** Returns the remaining suggestions: those for questions answered neither here nor elsewhere. */
function stillSuggested({ suggested }: State, stored: Stored): Answers {
  const answers = answersOf(stored.data);
  const isOpen = (path: string) =>
    answers[path] === defaults[path] && stored.sections[sectionOf(path)] !== 'complete';
  return Object.fromEntries(Object.entries(suggested).filter(([path]) => isOpen(path)));
}

export function reduce(state: State, event: Event): State {
  const next = after(state, event);
  if (next.answers === state.answers) return next;
  const { answers, aside } = withAskedOnly(next.questions, next.answers, next.aside);
  return answers === next.answers ? next : { ...next, answers, aside };
}

function after(state: State, event: Event): State {
  switch (event.type) {
    case 'answered': {
      const errors = without(state.errors, event.path);
      return tried({ ...state, answers: { ...state.answers, [event.path]: event.answer }, errors });
    }
    case 'employer added':
      return withEmployers(state, addEmployer(state.answers), state.errors);
    case 'employer removed':
      return withEmployers(
        state,
        removeEmployer(state.answers, event.index),
        removeEmployer(state.errors, event.index),
      );
    case 'left': {
      const tidy = canonical(state.answers)[event.path];
      if (isHidden(event.path, state.answers) || tidy === undefined || tidy === state.answers[event.path])
        return state;
      return { ...state, answers: { ...state.answers, [event.path]: tidy } };
    }
    case 'draft found': {
      const { draft } = event;
      const restored = merge(draft.base, draft.answers, state.saved);
      // What was typed on this page since, or came back with its form, is newer than any draft.
      const { answers } = merge(state.saved, state.answers, restored.answers);
      const meant = [...new Set([...state.meant, ...draft.meant])];
      return withConflicts({ ...state, answers, meant }, [...draft.conflicts, ...restored.conflicts]);
    }
    case 'checked':
      return { ...state, errors: { ...state.errors, ...errorsIn(state.answers) } };
    case 'section meant':
      return tried({ ...state, meant: [...new Set([...state.meant, event.section])] });
    case 'sent':
      return { ...state, phase: state.phase === 'retrying' ? 'retrying' : 'saving' };
    case 'saved': {
      const { stored, savedText } = event;
      const meant = state.meant.filter((section) => !event.meant?.includes(section));
      const settled = { ...state, phase: 'idle' as const, savedText, switchProgram: false, meant };
      // A faster tab has announced a newer revision, which includes these answers.
      if (stored.revision < state.revision) return settled;
      const isSent = (path: string) =>
        event.sent[path] !== state.suggested[path] || event.meant?.includes(sectionOf(path));
      const open = Object.entries(stillSuggested(state, stored)).filter(([path]) => !isSent(path));
      const suggested = Object.fromEntries(open);
      const saved = { ...answersOf(stored.data), ...suggested };
      // The server may normalise an answer. Typing that continued in the meantime wins.
      const { answers } = merge(event.sent, state.answers, saved);
      const { revision, sections } = stored;
      return withConflicts({ ...settled, answers, saved, suggested, revision, sections }, []);
    }
    case 'changed elsewhere': {
      const { stored, savedText } = event;
      if (stored.revision <= state.revision) return state;
      const suggested = stillSuggested(state, stored);
      const saved = { ...answersOf(stored.data), ...suggested };
      const merged = merge(state.saved, state.answers, saved);
      return withConflicts(
        {
          ...state,
          answers: merged.answers,
          saved,
          suggested,
          savedText,
          revision: stored.revision,
          sections: stored.sections,
        },
        merged.conflicts,
      );
    }
    case 'rejected':
      return rejected(state, event.fields, event.sentence);
    case 'unanswered':
      return { ...state, phase: 'retrying' };
    case 'refused':
      return { ...state, phase: 'refused', refusal: event.sentence };
    case 'stopped':
      return { ...state, phase: event.phase };
    case 'resumed':
      return { ...state, phase: 'idle', switchProgram: event.switchProgram ?? state.switchProgram };
    case 'chosen':
      return chosen(state, event.path, event.whose);
  }
}

/** Leaves the refused phase: the refusal was about the answers as they were, so changed ones are worth a retry. */
function tried(state: State): State {
  return state.phase === 'refused' ? { ...state, phase: 'idle', refusal: null } : state;
}

/** Returns `errors` without those of `path`, its parents and its parts. */
function without(errors: Record<string, string>, path: string): Record<string, string> {
  const kept = Object.entries(errors).filter(
    ([other]) => other !== path && !path.startsWith(`${other}.`) && !other.startsWith(`${path}.`),
  );
  return kept.length === Object.keys(errors).length ? errors : Object.fromEntries(kept);
}

function withEmployers(state: State, answers: Answers, errors: Record<string, string>): State {
  const { [PREVIOUS_EMPLOYERS]: _ofTheList, ...rest } = errors;
  // Rows have moved: a conflict in one of them now concerns the whole list.
  const conflicts = state.conflicts.map((path) =>
    path.startsWith(PREVIOUS_EMPLOYERS) ? PREVIOUS_EMPLOYERS : path,
  );
  return tried({ ...state, answers, errors: rest, conflicts: [...new Set(conflicts)] });
}

/** Adds conflicts to the open ones, as far as both versions still differ. */
function withConflicts(state: State, conflicts: string[]): State {
  if (state.conflicts.length + conflicts.length === 0) return state;
  const here = canonical(state.answers);
  const there = canonical(state.saved);
  const comparable = comparablePaths(here, there);
  const all = [...state.conflicts, ...conflicts].map((path) =>
    comparable.includes(path) || !path.startsWith(PREVIOUS_EMPLOYERS) ? path : PREVIOUS_EMPLOYERS,
  );
  return { ...state, conflicts: [...new Set(all)].filter((path) => !isSamePart(path, here, there)) };
}

function rejected(state: State, fields: Record<string, string>, sentence: string): State {
  const errors = { ...state.errors };
  for (const [path, message] of Object.entries(fields)) {
    const answer = answerOfError(path, state.answers);
    if (answer !== null) errors[answer] = message;
  }
  // Nothing can be left out: sending the same again would loop forever.
  if (Object.keys(errors).length === Object.keys(state.errors).length) {
    return { ...state, phase: 'refused', refusal: sentence };
  }
  return { ...state, errors, phase: 'idle' };
}

function chosen(state: State, path: string, whose: 'mine' | 'theirs'): State {
  const settled = { ...state, conflicts: state.conflicts.filter((other) => other !== path) };
  if (whose === 'mine') return tried(settled);
  let answers = withPart(state.answers, path, state.saved);
  const gate = gateOf(path);
  // Their answer belongs to a question that is no longer asked here, so it is asked again.
  if (gate && isHidden(path, answers)) answers = withPart(answers, gate.path, state.saved);
  return tried({ ...settled, answers, errors: without(state.errors, path) });
}

/** Errors that matter: excludes those of questions that are no longer asked. */
export function openErrors(state: State): Record<string, string> {
  return Object.fromEntries(Object.entries(state.errors).filter(([path]) => !isHidden(path, state.answers)));
}

/** What a save would send now: the answers it is based on, and the patch. Null if there is nothing to send. */
export function nextSave(state: State): { answers: Answers; patch: AnswerPatch; meant: SectionId[] } | null {
  const { meant } = state;
  const unreadable = Object.keys(errorsIn(state.answers));
  // Hiding a question makes the server drop its answer, which must not happen to an answer in conflict.
  const gates = state.conflicts.flatMap((path) =>
    isHidden(path, state.answers) ? [gateOf(path)!.path] : [],
  );
  const left = [...Object.keys(openErrors(state)), ...unreadable, ...state.conflicts, ...gates];
  const answers = sendable(state.saved, state.answers, left);
  if (meant.length > 0) {
    const isAsked = (path: string) => meant.includes(sectionOf(path));
    return { answers, patch: wholePatchOf(state.saved, answers, left, isAsked), meant };
  }
  const patch = patchOf(state.saved, answers);
  if (patch) return { answers, patch, meant };
  return state.switchProgram ? { answers, patch: {}, meant } : null;
}

/** Whether the form holds anything that is not on the server, sendable or not. */
export function isUnsaved(state: State): boolean {
  if (state.meant.length > 0) return true;
  if (state.answers === state.saved) return state.switchProgram;
  const here = canonical(state.answers);
  const there = canonical(state.saved);
  return state.switchProgram || comparablePaths(here, there).some((path) => !isSamePart(path, here, there));
}

/** The state of saving in a few words, and its tone: whether the applicant has to notice a problem. */
export function saveStateOf(state: State): { text: string; tone: 'calm' | 'busy' | 'problem' } {
  const problem = (text: string) => ({ text, tone: 'problem' as const });
  switch (state.phase) {
    case 'retrying':
      return problem(t('Not saved, retrying'));
    case 'refused':
      return problem(t('Not saved'));
    case 'signed-out':
      return problem(t('Not saved, you are logged out'));
    case 'other-account':
      return problem(t('Not saved, another account is logged in'));
    case 'other-program':
      return problem(t('Not saved yet'));
    case 'saving':
    case 'idle': {
      const conflicts = state.conflicts.length;
      if (conflicts === 1) return problem(t('1 answer changed elsewhere'));
      if (conflicts > 1) return problem(t`${conflicts} answers changed elsewhere`);
      const errors = Object.keys(openErrors(state)).length;
      if (errors === 1) return problem(t('1 answer needs attention'));
      if (errors > 1) return problem(t`${errors} answers need attention`);
      if (state.phase === 'saving' || isUnsaved(state)) return { text: t('Saving…'), tone: 'busy' };
      if (!state.savedText) return { text: t('Not saved yet'), tone: 'busy' };
      return { text: state.savedText, tone: 'calm' };
    }
  }
}
