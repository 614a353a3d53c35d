// The contract between the document handlers in Rust (src/pages/page.rs) and every screen.
// A screen is a pure function of its Page: "now", zones and formatted dates come in as text.

import type { ContractProps, VerifyProps } from './contracts';
import type { FundingProps, PaymentsProps } from './money';
import type { OfficeInfo, OfficeRoutes } from './office';

export type ApplicationType = 'ba' | 'msc';
export type ProgramPath = 'bachelor' | 'masters';
export type Theme = 'system' | 'light' | 'dark';
export type Language = 'en' | 'es';
export type ApplicationStatus =
  'none' | 'incomplete' | 'scheduled' | 'accepted' | 'rejected' | 'enrolled' | 'deferred';

/** What every screen knows, whatever the route. */
export interface Shared {
  /** Path and query as requested. */
  path: string;
  /** The program of the path, else the last one visited, else bachelor. */
  program: ProgramPath;
  viewer: Viewer | null;
  /** On pages of the office, for who is signed in there. */
  office?: OfficeInfo;
  theme: Theme;
  /** The one that everything here is told in. */
  language: Language;
  institute: string;
  contactEmail: string;
  /** Told above the pages of applicants until they put it away; its version names it. */
  banner?: { version: number; text: string };
  /** True in a development run: the footer links to the local mailbox. */
  development: boolean;
}

export interface Viewer {
  firstName: string;
  lastName: string;
  email: string;
  applicationStatus: ApplicationStatus;
  /** Counted on the pages of the dashboard; 0 on others. */
  unreadMessages: number;
}

/** One submitted form, coming back: what was typed and what is wrong with it. */
export interface FormState {
  /** By input name; several values for check boxes. Passwords never come back. */
  values: Record<string, string | string[]>;
  /** By input name, in the order of the form: a sentence. */
  errors: Record<string, string>;
  /** An error of the whole form. */
  error?: string;
  /** What the server said after success. */
  message?: string;
}

export type AuthMode = 'login' | 'register' | 'forgot-password';

export interface AuthDialogProps extends FormState {
  mode: AuthMode;
  /** Where to go after logging in; always a path of ours. */
  redirect: string;
}

/** A program as the public pages tell it. */
export interface ProgramInfo {
  path: ProgramPath;
  applicationType: ApplicationType;
  /** "Bachelor's program" */
  name: string;
  /** "Bachelor of Arts" */
  degree: string;
  promise: string;
  length: string;
  cost: string;
  nextIntake: string;
  deadline: string;
  audience: string[];
  needs: string[];
  steps: { title: string; text: string }[];
  payment: { title: string; text: string }[];
  questions: { question: string; answer: string }[];
}

export interface ApplyProps {
  info: ProgramInfo;
  /** What the main button does: open the register dialog, create an application, or go on with it. */
  action: 'register' | 'start' | 'continue';
  /** Where "continue" leads. */
  continueHref: string;
  dialog: AuthDialogProps | null;
}

export interface Employer {
  name: string;
  jobTitle: string;
  hoursPerWeek: number;
  yearsInRole: string;
}

/** The answers, exactly as the API's `data`. Money is in cents. */
export interface ApplicationData {
  personalInfo: {
    isUSCitizen: boolean;
    isMilitaryAffiliated: boolean;
    isDoDEmployee: boolean;
    state: string | null;
  };
  education: {
    hasBachelors: boolean;
    country: string;
    hasMasters: boolean;
    mastersCountry: string;
  };
  employment: {
    isSeeingCoachingClients: boolean;
    isCurrentlyEmployed: boolean;
    currentEmployer: Employer;
    hasPreviousEmployment: boolean;
    previousEmployers: Employer[];
  };
  financialPlan: {
    selectedPayments: string[];
    selfPayContribution: {
      upFrontContribution: number;
      monthlyPaymentContribution: number;
    };
  };
  creditTransfer: { selectedPrograms: string[] };
  /** Of the version of the questions that was answered last, 0 before the first answer; by the questions' keys. */
  questionnaire: { version: number; answers: Record<string, unknown> };
}

/** A question that staff ask the applicants of a program. */
export type Question = {
  key: string;
  label: string;
  help?: string;
  required: boolean;
  /** Asked only after this answer to an earlier question. */
  onlyIf?: Condition;
} & (
  | { type: 'text' | 'longText'; maxLength: number }
  | { type: 'choice' | 'several'; options: { value: string; label: string }[] }
  | { type: 'number'; min?: number; max?: number }
  | { type: 'date'; earliest?: string; latest?: string }
  | { type: 'yesNo' | 'file' }
);

export interface Condition {
  question: string;
  /** Yes or no, or the option that is chosen. */
  is: boolean | string;
}

/** How far a section of the application is, as the server knows it. */
export type SectionState = 'not-started' | 'in-progress' | 'complete';

/** A section, as its address ends. */
export type SectionId =
  'about-you' | 'military' | 'education' | 'employment' | 'financial-plan' | 'credit-transfer' | 'questions';

export type SectionStates = Record<SectionId, SectionState>;

/** A question that is asked and not answered. */
export interface MissingAnswer {
  path: string;
  section: SectionId;
  sentence: string;
  /** Where else than in the form it is answered: a file, among the documents. */
  href: string | null;
}

export interface Choices {
  payments: Choice[];
  transferPrograms: Choice[];
  yearsInRole: Choice[];
  /** What staff ask the applicants of the program; version 0 has no questions. */
  questionnaire: { version: number; questions: Question[] };
}

export interface Choice {
  value: string;
  label: string;
  hint?: string;
}

export interface ChangesAsked {
  sections: SectionId[];
  message: string;
  /** "Wednesday, May 20, 2026" */
  dueText: string;
}

export interface ApplicationProps {
  info: Pick<ProgramInfo, 'path' | 'applicationType' | 'name' | 'degree'>;
  /** The section whose questions are on the page; null on the page that lists them. */
  section: SectionId | null;
  /** The section was opened from "Check your answers" and leads back there. */
  fromCheck: boolean;
  /** null when it could not be loaded: the page then offers Retry and never a new start. */
  application: {
    id: string;
    revision: number;
    status: ApplicationStatus;
    stage: string;
    data: ApplicationData;
    sections: SectionStates;
    /** "Saved 14:02" in the applicant's zone, or null when nothing was saved yet. */
    savedText: string | null;
  } | null;
  /** What is not answered yet, as the list of the sections tells it; empty elsewhere. */
  missing: MissingAnswer[];
  /** What staff ask the applicant to change after the submission: only these sections are open. */
  changes: ChangesAsked | null;
  /** Set when the answers stand and can only be read: what the applicant can do instead. */
  sent: {
    reference: string | null;
    submittedText: string | null;
    canUnsubmit: boolean;
    canWithdraw: boolean;
    /** Names the act, so that a form sent twice does it once. */
    idempotencyKey: string;
    /** The form of an act that came back. */
    form: FormState;
  } | null;
  choices: Choices;
  /** A form post that came back (no JavaScript), or null. Names are the answers' paths:
   * `employment.currentEmployer.hoursPerWeek`, `employment.previousEmployers.0.name`. */
  form: FormState | null;
  /** The paths of the answers in which a form post and a newer revision differ; `form` has the one value, `application`
   * the other. */
  conflict: string[] | null;
  /** Set when the applicant's active application is for the other program. */
  otherProgram: { path: ProgramPath; name: string } | null;
  /** The login dialog, when nobody is signed in. */
  dialog: AuthDialogProps | null;
}

/** "Check your answers" */
export interface CheckProps {
  info: ApplicationProps['info'];
  revision: number;
  /** Names the submission, so that a form sent twice submits once. */
  idempotencyKey: string;
  data: ApplicationData;
  sections: SectionStates;
  /** What must be answered first, in the order of the form. */
  missing: MissingAnswer[];
  changes: ChangesAsked | null;
  choices: Choices;
  declaration: string;
  form: FormState;
}

export interface ThankYouProps {
  programName: string;
  reference: string;
  submittedText: string;
  /** Where our mails go. */
  email: string;
  steps: { title: string; text: string }[];
  applicationHref: string;
  /** The interview that has been booked since. */
  interview: ToldTime | null;
}

/** A moment as the applicant's clock tells it, and the institute's where that is another one. */
export interface ToldTime {
  /** In UTC, as RFC 3339 writes it. */
  startsAt: string;
  /** "Tuesday, May 12, 2026" */
  day: string;
  /** "14:00 CEST" */
  time: string;
  /** "08:00 EDT", with the weekday where it is another day there. */
  institute: string | null;
}

export interface InterviewWeek {
  /** "May 11 – May 17, 2026" */
  title: string;
  /** The weeks before and after it that have a time. */
  earlier: string | null;
  later: string | null;
  /** Monday to Friday, and of the weekend what has a time. */
  days: {
    /** "Tue" */
    weekday: string;
    /** "May 12" */
    date: string;
    /** "Tuesday, May 12" */
    long: string;
    times: {
      startsAt: string;
      /** "14:00", with its offset where the clock shows it twice. */
      time: string;
      institute: string | null;
    }[];
  }[];
}

export interface HeldTime {
  time: ToldTime;
  minutes: number;
  /** "14:05" */
  untilText: string;
  secondsLeft: number;
}

export type ScheduleView =
  | { name: 'closed'; title: string; text: string; href: string; label: string }
  | {
      name: 'choose';
      /** null when every time is taken. */
      week: InterviewWeek | null;
      hold: HeldTime | null;
      /** Somebody came to confirm a time that is not kept any more. */
      holdIsOver: boolean;
      wishes: ToldTime[] | null;
      /** The interview that is to be moved. */
      current: ToldTime | null;
    }
  | {
      name: 'wishes';
      noneFree: boolean;
      /** What was sent before, as the fields of the form. */
      fields: { date: string; time: string }[];
      sent: ToldTime[] | null;
    }
  | { name: 'confirm'; hold: HeldTime; current: ToldTime | null }
  | {
      name: 'booked';
      time: ToldTime;
      minutes: number;
      /** "in 8 days", "tomorrow" */
      countdown: string;
      hasBegun: boolean;
      moveUntil: string;
      movesLeft: number;
      /** Why it cannot be moved, or cancelled; null when it can. */
      noMove: string | null;
      noCancel: string | null;
    }
  | { name: 'zone'; zones: string[] };

export interface ScheduleProps {
  view: ScheduleView;
  /** The application's. */
  revision: number;
  /** Names the act, so that a form sent twice does it once. */
  idempotencyKey: string;
  /** "Europe/Berlin" */
  zone: string;
  /** null when it is the same. */
  instituteZone: string | null;
  /** The applicant has chosen it; else it is the institute's. */
  zoneIsChosen: boolean;
  /** The form that came back, or what a finished one has to say. */
  form: FormState;
}

export interface DashboardProps {
  application: {
    programName: string;
    status: ApplicationStatus;
    stage: string;
    /** What the forms of this page are about, and the name of their act, so that a form sent twice does it once. */
    known: { revision: number; idempotencyKey: string } | null;
    /** Given at the first submission. */
    reference: string | null;
    /** Plain words for the stage: "In progress". */
    title: string;
    meaning: string;
    whoseTurn: string;
    byWhen: string | null;
    startedText: string;
    savedText: string | null;
    submittedText: string | null;
    /** It can be withdrawn here; earlier stages have that on the application's own page. */
    canWithdraw: boolean;
  } | null;
  /** What ended a moment ago, and can be brought back until then. */
  undo: {
    action: 'undo-withdraw' | 'undo-decline';
    title: string;
    untilText: string;
    revision: number;
    idempotencyKey: string;
  } | null;
  /** What was decided, once the applicant may know. */
  decision: {
    title: string;
    text: string;
    conditions: string[];
    /** "Monday, May 4, 2026" */
    decidedText: string | null;
    /** Set while it can be replied to. */
    offer: {
      /** "Friday, June 5, 2026, 23:59 Eastern Time" */
      replyBy: string;
      undoMinutes: number;
    } | null;
    /** Set when a later start can be asked for, or was. */
    deferral: {
      asked: string | null;
      /** A no to an earlier wish, and why. */
      refused: { text: string; reason: string } | null;
      intakes: { value: string; label: string }[];
    } | null;
    canApplyAgain: boolean;
  } | null;
  /** A form of this page that came back, by its `_action`. */
  form: (FormState & { action: string }) | null;
  loadFailed: boolean;
  nextStep: { title: string; text: string; href: string; label: string };
  /** How far the documents are, where they matter. */
  documents: DocumentsProgress | null;
  timeline: { label: string; state: 'done' | 'current' | 'upcoming'; date: string | null }[];
  /** Applications that are over, latest first. */
  past: { href: string; programName: string; reference: string | null; endedText: string }[];
  side: { title: string; description: string };
}

/** The letter that tells a decision. */
export interface LetterProps {
  name: string;
  reference: string | null;
  dateText: string;
  /** Paragraphs with an empty line between them; lines that start with "•" are a list. */
  text: string;
}

/** An application that is over, as it was submitted. */
export interface PastApplicationProps {
  info: ApplicationProps['info'];
  /** "Withdrawn on Monday, May 4, 2026" */
  endedText: string;
  submittedText: string | null;
  reference: string | null;
  data: ApplicationData;
  choices: Choices;
}

/** "2 of 4 documents received", and what that means. */
export interface DocumentsProgress {
  settled: number;
  of: number;
  text: string;
  hint: string;
}

export interface DocumentsProps {
  /** What the answers call for; null without an application. */
  slots: DocumentSlot[] | null;
  /** Slots with files that the answers do not call for any more. */
  others: DocumentSlot[];
  /** The application could not be loaded: whether there is one is not known. */
  loadFailed: boolean;
  progress: DocumentsProgress | null;
  /** How many more files there is room for. */
  room: number;
  maxBytes: number;
  /** Endings of names, for the dialog that chooses a file. */
  accept: string;
  /** Where an application is started. */
  startHref: string;
  /** What a form of this page did. */
  message: string | null;
  /** Why a form of this page did nothing. */
  error: string | null;
}

export interface DocumentSlot {
  slot: string;
  label: string;
  why: string;
  required: boolean;
  state: 'needed' | 'uploading' | 'checking' | 'received' | 'accepted' | 'replace' | 'waived';
  /** The state as the applicant reads it. */
  word: string;
  /** What staff say about it. */
  reason: string | null;
  /** Whether files can be added. */
  isOpen: boolean;
  files: DocumentFile[];
  /** Why files of a form were not taken. */
  errors: string[];
}

export interface DocumentFile {
  id: string;
  name: string;
  state: 'uploading' | 'checking' | 'received' | 'refused';
  words: string;
  /** Of an upload under way. */
  percent: number | null;
  /** Where it can be saved from. */
  href: string | null;
  removable: boolean;
}

export interface SessionInfo {
  id: string;
  current: boolean;
  /** "Chrome on Windows" */
  device: string;
  startedText: string;
  lastSeenText: string;
}

export interface AccountProps {
  profile: {
    firstName: string;
    lastName: string;
    email: string;
    dateOfBirth: string;
    phoneNumber: string;
    country: string;
    state: string | null;
    timeZone: string;
  };
  /** The address that waits to be confirmed. */
  pendingEmail: string | null;
  /** Whether reminders are mailed. */
  reminders: boolean;
  /** What mails are written in. */
  language: Language;
  timeZones: string[];
  /** What dates are told in while no time zone is chosen. */
  instituteTimeZone: string;
  sessions: SessionInfo[];
  /** The form that came back, by its `_action`. */
  forms: {
    profile?: FormState;
    password?: FormState;
    sessions?: FormState;
    notifications?: FormState;
    language?: FormState;
    data?: FormState;
  };
}

export interface ChangeEmailProps extends FormState {
  email: string;
  pending: { email: string; oldConfirmed: boolean; newConfirmed: boolean; untilText: string } | null;
}

/** Where a mailed link of a change of the email leads. */
export interface ConfirmEmailProps {
  token: string;
  /** null when the link works no more. `side` is the address that it was mailed to, `email` the one to be. */
  link: { email: string; side: 'old' | 'new'; confirmed: boolean } | null;
  /** What the posted form did. */
  outcome: 'waiting' | 'changed' | 'stopped' | null;
  error: string | null;
}

export interface CloseAccountProps {
  email: string;
  /** The program of the application that is withdrawn with it. */
  application: string | null;
  /** An offer was taken: the account cannot be closed here. */
  bound: boolean;
  retentionYears: number;
  /** Until when what was submitted is kept if the account is closed today. */
  keptUntil: string;
  contactEmail: string;
  done: boolean;
  form: FormState;
}

/** How far the email of a message has come, and the same in words. */
export interface MessageDelivery {
  state: 'leaving' | 'delayed' | 'sent' | 'failed' | 'kept';
  words: string;
}

export interface MessagesProps {
  /** Newest first. */
  messages: {
    href: string;
    subject: string;
    sentText: string;
    unread: boolean;
    delivery: MessageDelivery;
  }[];
  olderHref: string | null;
  /** Set on every page but the first. */
  newestHref: string | null;
}

export interface MessageProps {
  subject: string;
  sentText: string;
  delivery: MessageDelivery;
  text: string;
}

export interface ResetPasswordProps extends FormState {
  /** The token of the mailed link, or empty: then the code field is shown. */
  token: string;
  done: boolean;
}

/** Not found, bad request, address too long, wrong method, too busy. */
export interface ProblemProps {
  heading: string;
  text: string;
}

export interface MailboxProps {
  mails: {
    id: string;
    to: string;
    subject: string;
    sentText: string;
    text: string;
    state: string;
    attachment: { name: string; href: string } | null;
  }[];
}

export interface Routes extends OfficeRoutes {
  apply: ApplyProps;
  application: ApplicationProps;
  check: CheckProps;
  thankYou: ThankYouProps;
  schedule: ScheduleProps;
  resetPassword: ResetPasswordProps;
  dashboard: DashboardProps;
  letter: LetterProps;
  contract: ContractProps;
  verify: VerifyProps;
  funding: FundingProps;
  payments: PaymentsProps;
  pastApplication: PastApplicationProps;
  account: AccountProps;
  documents: DocumentsProps;
  changeEmail: ChangeEmailProps;
  confirmEmail: ConfirmEmailProps;
  closeAccount: CloseAccountProps;
  messages: MessagesProps;
  message: MessageProps;
  mailbox: MailboxProps;
  problem: ProblemProps;
  /** The crash screen, rendered on the server with a true status. */
  crash: { message: string };
}

export type RouteName = keyof Routes;

export interface Head {
  title: string;
  description?: string;
  /** Absolute, only on pages that search engines may keep. */
  canonical?: string;
  robots?: string;
}

export type Page = {
  [R in RouteName]: { route: R; status: number; head: Head; shared: Shared; props: Routes[R] };
}[RouteName];

/** What a soft navigation (`Accept: application/json` on the page's own path) gets. */
export type NavigationAnswer = Page | { redirect: string };
