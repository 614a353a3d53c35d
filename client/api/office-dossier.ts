// What the tabs of one application get: the twin of src/pages/admin/dossier/props.rs.

import type { Choice } from './office';
import type { FormState } from './page';

/** What follows the application's path where a tab is. */
export type DossierTab =
  | ''
  | `/${'documents' | 'interview' | 'decision' | 'contract' | 'funding' | 'notes' | 'emails' | 'timeline'}`;

/** What surrounds every tab. */
export interface DossierFrame {
  id: string;
  name: string;
  reference: string;
  program: string;
  /** In words. */
  stage: string;
  /** As on the wire: "incomplete". */
  status: string;
  /** Days in its stage. */
  waitingDays: number;
  needsAction: boolean;
  /** What is seen; forms send it along, so that nothing is done to what somebody else has changed. */
  revision: number;
  /** The account that looks after it; empty for nobody. */
  owner: string;
  ownerName: string | null;
  owners: Choice[];
  mayAssign: boolean;
  tags: string[];
  /** What this person may do to it now, each with the page where it is done. */
  acts: { label: string; href: string }[];
  /** Those that this person may open. */
  tabs: DossierTab[];
  /** The list as it was left. */
  backHref: string;
  /** The same tab of the application before and behind it in that list. */
  previousHref: string | null;
  nextHref: string | null;
  /** What follows the application's path in the present tab's. */
  tab: string;
  /** The view of the list, as its address has it; forms send it along. */
  view: string;
  /** Who else has the application open, as of now. */
  lookers: string[];
  /** What somebody else changed since the form that came back was opened. */
  meanwhile: { what: string; seen: string; now: string }[];
  /** That there are applications that are alike; `open` while nobody has found out whether they are of one person. */
  alike: { text: string; href: string; open: boolean } | null;
}

/** A line of what is known: what it is, and what it says. */
export interface Line {
  name: string;
  value: string;
}

export interface AnswerLine {
  name: string;
  /** Null where only the version before tells it. */
  value: string | null;
  /** Not there where nothing differs. */
  change?: 'changed' | 'added' | 'gone';
  /** What it said then. */
  before?: string;
}

export interface AdminApplicationProps {
  frame: DossierFrame;
  /** Null for a role that may not know it. */
  person: Line[] | null;
  /** What was submitted, and what is there now where that differs; oldest first. */
  versions: Choice[];
  version: string;
  /** The version that it is compared with; empty for none. */
  against: string;
  changesText: string | null;
  sections: { title: string; answers: AnswerLine[] }[];
  form: FormState;
}

export interface OfficeFile {
  id: string;
  name: string;
  words: string;
  /** Null for one that is not kept. */
  href: string | null;
  /** Null for a kind that browsers do not show. */
  previewHref: string | null;
}

export interface OfficeDocument {
  slot: string;
  label: string;
  why: string;
  required: boolean;
  state: 'needed' | 'uploading' | 'checking' | 'received' | 'accepted' | 'replace' | 'waived';
  word: string;
  /** Who decided what, and when. */
  decidedText: string | null;
  reason: string | null;
  /** What is seen; the form sends it along. */
  seen: string;
  mayAccept: boolean;
  mayReplace: boolean;
  mayWaive: boolean;
  files: OfficeFile[];
}

export interface AdminDocumentsProps {
  frame: DossierFrame;
  slots: OfficeDocument[];
  /** With files, and not called for any more. */
  others: OfficeDocument[];
  form: FormState;
}

/** The form of an act: what it does, and what it asks for. */
/** A wish to start later that waits for an answer. */
export interface DeferralWish {
  id: string;
  text: string;
  intake: string;
  /** Why, in the words of the applicant. */
  reason: string | null;
}

export interface ActForm {
  name: string;
  /** What follows the path of the application where it is done. */
  path: '/act' | '/enrolment';
  title: string;
  button: string;
  text: string;
  /** What is taken back, or has to hold. */
  request: string | null;
  sections: Choice[] | null;
  /** The hint of the reason that it needs; null if it needs none. */
  reason: string | null;
  intakes: Choice[] | null;
  wish: DeferralWish | null;
  /** What has to be ticked; null for nothing. */
  rechecked: string | null;
}

export interface AdminActProps {
  frame: DossierFrame;
  act: ActForm;
  /** Why it cannot be done, by the table of statuses; null if it can. */
  obstacle: string | null;
  idempotencyKey: string;
  form: FormState;
}

/** Another application that may be of the same person. */
export interface Twin {
  id: string;
  name: string;
  reference: string;
  /** The same page of that application. */
  href: string;
  lines: { what: string; here: string; there: string; same: boolean }[];
  /** What was found out, by whom and when. */
  verdict: string | null;
}

export interface AdminDuplicatesProps {
  frame: DossierFrame;
  twins: Twin[];
  form: FormState;
}

export interface OfficeNote {
  id: string;
  author: string;
  text: string;
  revision: number;
  pinned: boolean;
  own: boolean;
  writtenText: string;
  editedText: string | null;
}

export interface AdminNotesProps {
  frame: DossierFrame;
  notes: OfficeNote[];
  search: string;
  /** Who can be mentioned, as it is written. */
  names: string[];
  /** The note that is being changed. */
  editing: string | null;
  idempotencyKey: string;
  form: FormState;
}

export interface OfficeMail {
  id: string;
  subject: string;
  to: string;
  text: string;
  state: 'sent' | 'kept' | 'failed' | 'waiting';
  stateText: string;
  writtenText: string;
  mayResend: boolean;
}

export interface AdminEmailsProps {
  frame: DossierFrame;
  /** Null for a closed account. */
  to: string | null;
  mails: OfficeMail[];
  idempotencyKey: string;
  form: FormState;
}

export interface TimelineEvent {
  whenText: string;
  who: string;
  words: string;
  /** The stages before and after it. */
  from: string | null;
  to: string | null;
  detail: string | null;
  reason: string | null;
}

export interface AdminTimelineProps {
  frame: DossierFrame;
  /** Newest first. */
  events: TimelineEvent[];
  /** No line was changed, taken out or put in since it was written. */
  unbroken: boolean;
  form: FormState;
}

export interface DossierRoutes {
  adminApplication: AdminApplicationProps;
  adminDocuments: AdminDocumentsProps;
  adminNotes: AdminNotesProps;
  adminEmails: AdminEmailsProps;
  adminTimeline: AdminTimelineProps;
  adminAct: AdminActProps;
  adminDuplicates: AdminDuplicatesProps;
}
