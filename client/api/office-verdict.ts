// What the screens about decisions and interviews get: the twin of src/pages/admin/dossier/decision.rs and its neighbours.

import type { Choice } from './office';
import type { DossierFrame } from './office-dossier';
import type { FormState } from './page';

export interface DecisionView {
  id: string;
  /** "Acceptance" or "Rejection". */
  outcome: string;
  editHref: string;
  letter: string;
  /** Of the letter; lines that start with `•` are a list. Null for a role that may not read it. */
  paragraphs: string[] | null;
  conditions: string[];
  reasons: { sentence: string; told: boolean }[];
  intake: string;
  /** Why there was no interview. */
  waiver: string | null;
  draftedText: string;
  /** When a draft is released by itself. */
  plannedText: string | null;
  releasedText: string | null;
  /** Until when it can be recalled, while it can. */
  heldUntilText: string | null;
  /** Why a draft cannot be released as it is. */
  problem: string | null;
}

/** What can be chosen in a draft. */
export interface DraftChoices {
  outcome: 'accept' | 'reject';
  letters: Choice[];
  reasons: Choice[];
  intakes: Choice[];
}

/** The form of a draft. */
export interface DecisionEditor extends DraftChoices {
  /** The draft that it takes the place of; empty for none. */
  seen: string;
  closeHref: string;
}

export interface AdminDecisionProps {
  frame: DossierFrame;
  draft: DecisionView | null;
  released: DecisionView | null;
  /** Those that were taken back, newest first. */
  former: { id: string; text: string }[];
  /** Where one sees what became of the conditions of the released one; null without any. */
  conditions: { href: string; text: string } | null;
  mayDraft: boolean;
  mayRelease: boolean;
  /** No interview was held: an acceptance has to say why. */
  needsWaiver: boolean;
  /** Null while nothing is edited. */
  editor: DecisionEditor | null;
  /** The letter as it would be. */
  preview: string[] | null;
  acts: { recall: boolean; reverse: boolean; reopen: boolean };
  /** The institute's, IANA. */
  zone: string;
  /** Names the form, so that a double click does it once. */
  formKey: string;
  form: FormState;
}

/** A condition of an offer, and what became of it. */
export interface ConditionView {
  number: number;
  text: string;
  state: 'open' | 'met' | 'waived' | 'failed';
  word: string;
  note: string | null;
  /** By whom and when. */
  judgedText: string | null;
  /** Null for who may not. */
  judgeHref: string | null;
}

export interface AdminConditionsProps {
  frame: DossierFrame;
  conditions: ConditionView[];
  /** The condition that the form is about. */
  judging: {
    number: number;
    text: string;
    state: string;
    note: string;
    /** The revision of it that is looked at. */
    seen: number;
    states: Choice[];
    closeHref: string;
  } | null;
  form: FormState;
}

/** A time in somebody's calendar. */
export interface SlotView {
  id: string;
  timeText: string;
  state: 'free' | 'held' | 'booked' | 'done' | 'missed';
  /** Who it is, for who may know it. */
  label: string;
  /** The application's interview. */
  href: string | null;
}

export interface CalendarDay {
  /** 2026-05-12 */
  date: string;
  label: string;
  slots: SlotView[];
}

export interface FeedView {
  /** Null without one. */
  sinceText: string | null;
  /** Told once, when it is made. */
  address: string | null;
}

export interface AdminInterviewsProps {
  /** Whose calendar one may look at. */
  people: Choice[];
  staff: string;
  staffName: string;
  isOwn: boolean;
  /** Its Monday. */
  week: string;
  weekText: string;
  previousHref: string;
  nextHref: string;
  thisWeekHref: string;
  days: CalendarDay[];
  rules: {
    revision: number;
    /** IANA */
    timeZone: string;
    minutes: number;
    /** Minutes between two interviews. */
    buffer: number;
    /** Hours that applicants book ahead at least. */
    notice: number;
    weekly: string[];
    exceptions: string[];
  };
  weekdays: Choice[];
  zones: string[];
  /** Of one's own calendar alone. */
  feed: FeedView | null;
  form: FormState;
}

/** The form of the score sheet. */
export interface Scoring {
  criteria: Choice[];
  recommendations: Choice[];
  /** Of the sheet that is there; 0 for none. */
  revision: number;
  values: Record<string, string>;
}

export interface AdminInterviewProps {
  frame: DossierFrame;
  interview: {
    whenText: string;
    minutes: number;
    interviewer: string;
    state: string;
    noShows: number;
  } | null;
  /** Free ones, where one can be booked or the interview moved. */
  times: Choice[];
  /** Null where nothing can be booked. */
  bookLabel: string | null;
  /** Times that the applicant wishes for. */
  wishes: Choice[];
  mayCancel: boolean;
  mayRecord: boolean;
  mayUndo: boolean;
  sheet: {
    lines: { label: string; points: number }[];
    recommendation: string;
    comment: string | null;
    writtenText: string;
  } | null;
  /** Null for who may not fill it in. */
  scoring: Scoring | null;
  /** Names the form, so that a double click does it once. */
  formKey: string;
  form: FormState;
}

export interface VerdictRoutes {
  adminConditions: AdminConditionsProps;
  adminDecision: AdminDecisionProps;
  adminInterview: AdminInterviewProps;
  adminInterviews: AdminInterviewsProps;
}
