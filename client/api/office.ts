// What the screens of the office get: the twin of src/pages/admin/props.rs. Staff pages are in English.

import type { ContractRoutes } from './office-contracts';
import type { DossierRoutes } from './office-dossier';
import type { AdminFinanceProps } from './office-finance';
import type { AdminFundingProps } from './office-money';
import type { DraftChoices, VerdictRoutes } from './office-verdict';
import type { FormState, ProblemProps, Question, SessionInfo } from './page';

/** Who is signed in to the office; on its pages only. */
export interface OfficeInfo {
  /** Empty until it is told. */
  name: string;
  email: string;
  /** As it is read: "Owner". */
  role: string;
  /** What the role may open; empty for a session that is idle. */
  menu: OfficePath[];
}

/** Where the items of the sidebar lead. */
export type OfficePath =
  `/admin-panel/${'applications' | 'questionnaires' | 'contracts' | 'finance' | 'admins' | 'settings'}`;

export interface AdminLoginProps extends FormState {
  /** The password was right, and a code is asked for. */
  step: 'password' | 'code';
}

export interface AdminForgottenProps extends FormState {
  step: 'ask' | 'asked' | 'choose' | 'done';
  /** Of the mailed link, where a new password is chosen. */
  token: string;
}

export interface AdminInvitationProps extends FormState {
  token: string;
  /** Null for a link that does not work any more. */
  invited: { email: string; role: string; purpose: string } | null;
}

export interface AdminStepUpProps {
  /** Nothing was done for a while. */
  idle: boolean;
  needsCode: boolean;
  email: string;
  /** Where it goes on. */
  to: string;
  /** Of the form that is carried along; null for a page that is opened. */
  fields: { name: string; value: string }[] | null;
  form: FormState;
}

export interface RoleChoice {
  value: string;
  label: string;
  hint: string;
}

export interface AdminRow {
  id: string;
  href: string;
  /** Empty until it is told. */
  name: string;
  email: string;
  role: string;
  roleTitle: string;
  isSelf: boolean;
  suspended: boolean;
  secondFactor: boolean;
  /** Null for who was not here for a while. */
  lastSeenText: string | null;
}

export interface InvitationRow {
  id: string;
  email: string;
  roleTitle: string;
  sentText: string;
  untilText: string;
  expired: boolean;
}

export interface AdminAdminsProps {
  admins: AdminRow[];
  invitations: InvitationRow[];
  roles: RoleChoice[];
  secondFactorRequired: boolean;
  form: FormState;
}

export interface AdminAdminProps {
  admin: AdminRow;
  roles: RoleChoice[];
  form: FormState;
}

export interface AdminAccountProps {
  name: string;
  email: string;
  role: string;
  purpose: string;
  secondFactor: boolean;
  secondFactorRequired: boolean;
  recoveryCodesLeft: number;
  sessions: SessionInfo[];
  /** The form that was sent. */
  forms: {
    name?: FormState;
    password?: FormState;
    secondFactor?: FormState;
    sessions?: FormState;
    leave?: FormState;
  };
}

export interface AdminSecondFactorProps extends FormState {
  /** Comes back with the code. */
  seed: string;
  /** To be typed into an app that cannot read the picture. */
  secret: string;
  /** Opens the app on a phone. */
  uri: string;
  /** Black squares on white: a path in a square of `size`. */
  picture: { size: number; path: string };
  /** Everybody must have one. */
  required: boolean;
}

export interface AdminRecoveryCodesProps {
  codes: string[];
  /** The same as a text file. */
  downloadHref: string;
  nextHref: string;
}

export interface Choice {
  value: string;
  label: string;
}

export interface ListRow {
  id: string;
  name: string;
  reference: string;
  /** What stands in each of the columns. */
  cells: string[];
  needsAction: boolean;
  lacksDocuments: boolean;
}

/** Views that have a name: one's own, and those of everybody. */
export interface ListViews {
  all: {
    id: string;
    name: string;
    href: string;
    /** Everybody has it. */
    shared: boolean;
    /** It is the one that is shown. */
    current: boolean;
    mayChange: boolean;
  }[];
  mayShare: boolean;
  /** Of the form, so that a view is not kept twice. */
  key: string;
  /** The one that is about to be deleted. */
  deleting: string | null;
}

/** Several applications that are about to be marked, or were. */
export interface BulkStep {
  title: string;
  action: string;
  value: string;
  rows: { id: string; name: string; reference: string; outcome: string | null; failed: boolean }[];
  done: boolean;
}

/** An act on several applications: written, looked through with real data, and done. */
export interface AdminBulkProps {
  act: 'mail' | 'ask' | 'draft';
  step: 'write' | 'look' | 'done';
  title: string;
  rows: {
    id: string;
    /** Empty for one that is not there any more. */
    href: string;
    name: string;
    reference: string;
    stage: string;
    /** What became of it, or what is to be known before. */
    told: string | null;
    failed: boolean;
  }[];
  /** Of the first rows, as they would get it. */
  samples: {
    name: string;
    /** Letters have none. */
    subject: string | null;
    paragraphs: string[];
  }[];
  /** With their braces. */
  mailFields: string[];
  /** Those that can be asked for. */
  documents: Choice[];
  /** Of an act that drafts. */
  draft: DraftChoices | null;
  needsWaiver: boolean;
  /** The view's query, for forms that come back to it. */
  here: string;
  /** Names what is looked through, so that a double click does it once. */
  formKey: string;
  form: FormState;
}

export interface AdminApplicationsProps {
  tabs: { label: string; href: string; count: string; current: boolean }[];
  /** The view as its form has it, by the fields' names. */
  values: Record<string, string>;
  /** Countries, states and owners are known without being told: null. */
  filters: { name: string; label: string; options: Choice[] | null }[];
  sorts: Choice[];
  /** Those that are shown, beside name and reference. */
  columns: Choice[];
  columnChoices: Choice[];
  views: ListViews;
  /** What narrows the view, each with the address without it. */
  active: { label: string; href: string }[];
  countText: string;
  rows: ListRow[];
  /** What follows a row's path, so that the way back leads to this page of the view. */
  rowQuery: string;
  previousHref: string | null;
  nextHref: string | null;
  clearHref: string;
  /** The view's query, for forms that come back to it. */
  here: string;
  /** The page where what this tab is about is done for many. */
  work: { label: string; href: string } | null;
  /** The view as files; none for who may not save lists. */
  exports: { label: string; href: string }[];
  mayAssign: boolean;
  /** What can be done with the chosen ones on a page of its own. */
  acts: { label: string; href: string; action: string }[];
  /** What chooses all of the view at once, if it is more than a page and not too many. */
  whole: string | null;
  owners: Choice[];
  tags: string[];
  bulk: BulkStep | null;
  form: FormState;
}

export interface FiguresWeek {
  /** Its Monday. */
  week: string;
  /** Applications that were submitted in it, by the status that they have now, in the order of `statuses`. */
  byStatus: number[];
  submitted: number;
  /** Decisions that were released in it. */
  decided: number;
  /** Days that half of them took at most. */
  medianDays: number | null;
  /** Days that nine of ten took at most. */
  mostDays: number | null;
}

export interface FiguresWaiting {
  stage: string;
  /** In the order of `waits`. */
  counts: number[];
  /** These applications in the list. */
  href: string;
}

export interface AdminFiguresProps {
  statuses: string[];
  /** Oldest first. */
  weeks: FiguresWeek[];
  /** "0 to 6 days"… */
  waits: string[];
  waiting: FiguresWaiting[];
  /** When it was counted. */
  countedText: string;
}

/** Who changed a draft last, and when. */
export interface DraftInfo {
  changedText: string;
  changedBy: string;
  /** How many things stand against publishing it. */
  mistakes: number;
}

/** The questions of a program at a version. */
export interface VersionRow {
  id: string;
  version: number;
  state: 'published' | 'earlier' | 'archived';
  /** How many there are. */
  questions: number;
  publishedText: string;
  /** Null for what the product came with. */
  publishedBy: string | null;
  /** The earlier version whose questions these are again. */
  restoredFrom: number | null;
  previewHref: string;
  restoreHref: string;
}

export interface ProgramQuestions {
  name: string;
  editHref: string;
  draft: DraftInfo | null;
  /** Newest first. */
  versions: VersionRow[];
}

export interface AdminQuestionnairesProps {
  programs: ProgramQuestions[];
  form: FormState;
}

/** A question as it is being written, field by field: mistakes included. */
export interface DraftQuestion {
  /** Names the answer; empty until the draft is saved. */
  key: string;
  type: string;
  label: string;
  help: string;
  required: boolean;
  /** Left out when the draft is published. */
  removed: boolean;
  maxLength: string;
  min: string;
  max: string;
  earliest: string;
  latest: string;
  options: { value: string; label: string }[];
  /** `KEY:yes`, `KEY:no` or `KEY=OPTION` of an earlier question; empty without a condition. */
  onlyIf: string;
}

/** Where two versions of the same differ. */
export interface Difference {
  title: string;
  /** What of it; may be empty. */
  field: string;
  first: string;
  second: string;
}

export interface AdminQuestionnaireProps {
  name: string;
  path: string;
  previewHref: string;
  publishHref: string;
  /** Of the draft that is stored; 0 for none. */
  revision: number;
  /** What names of new questions and options are made from. */
  names: string;
  /** The version that is asked now; 0 for none. */
  published: number;
  /** Null as long as nothing was saved. */
  info: DraftInfo | null;
  questions: DraftQuestion[];
  kinds: Choice[];
  /** Most questions of a program. */
  most: number;
  /** From what somebody else has saved in the meantime: first mine, second theirs. */
  differences: Difference[];
  form: FormState;
}

export interface AdminQuestionnairePreviewProps {
  name: string;
  /** Null for the draft. */
  version: number | null;
  path: string;
  backHref: string;
  set: { version: number; questions: Question[] };
  /** Questions of the draft that have mistakes. */
  leftOut: number;
  /** The answers were checked. */
  checked: boolean;
  form: FormState;
}

export interface AdminQuestionnairePublishProps {
  name: string;
  path: string;
  backHref: string;
  /** The earlier version to go back to; null to publish the draft. */
  version: number | null;
  published: number;
  revision: number;
  /** Names this act, so that it is done once. */
  formKey: string;
  /** That can be changed, and so ask other questions. */
  applications: number;
  /** From what is asked now. */
  differences: Difference[];
  form: FormState;
}

export interface AdminSettingsProps {
  settings: {
    title: string;
    purpose: string;
    href: string;
    /** Null while it is as the product came. */
    changedText: string | null;
    changedBy: string | null;
  }[];
  /** Whether whoever looks may change more than texts. */
  everything: boolean;
  /** Who takes payments by card; null where that is not set up. */
  paymentProvider: string | null;
}

/** The mails or the letters. */
export interface AdminTextsProps {
  title: string;
  intro: string;
  texts: AdminSettingsProps['settings'];
  /** What nobody can change. */
  fixed: string[];
}

export interface TextRun {
  text: string;
  /** Made up. */
  sample: boolean;
}

export interface TextPreview {
  code: string;
  language: string;
  /** None of a letter. */
  subject: TextRun[];
  parts: { button: boolean; runs: TextRun[] }[];
}

export interface TextEditor {
  /** It must not tell a decision. */
  confidential: boolean;
  fields: { name: string; meaning: string; needed: boolean }[];
  /** None while something typed is not right. */
  previews: TextPreview[];
  /** Where a test goes; null for what is not mailed. */
  testTo: string | null;
}

export interface SettingField {
  name: string;
  label: string;
  /** Empty for none. */
  hint: string;
  kind: 'line' | 'longLine' | 'lines' | 'text' | 'number' | 'date' | 'choice';
  value: string;
  /** What the product came with. */
  builtIn: string;
  /** The heading of the fields that belong together; empty for one that stands by itself. */
  group: string;
  /** Of a choice. */
  choices: Choice[];
}

export interface SettingVersionRow {
  /** 0 for what the product came with. */
  version: number;
  changedText: string | null;
  changedBy: string | null;
  /** The earlier version that it is again. */
  restoredFrom: number | null;
  /** From the version before it. */
  changes: Difference[];
}

export interface AdminSettingProps {
  title: string;
  purpose: string;
  path: string;
  /** The version that holds; 0 for what the product came with. */
  version: number;
  /** A page that shows it; null where there is none. */
  seeHref: string | null;
  fields: SettingField[];
  /** Deadlines that can be put off by a week. */
  extend: Choice[];
  /** From what somebody else has saved in the meantime: first mine, second theirs. */
  differences: Difference[];
  /** Newest first. */
  versions: SettingVersionRow[];
  /** The list that it stands on. */
  back: Choice;
  /** Of a mail or a letter; null for what is none. */
  text: TextEditor | null;
  form: FormState;
}

export interface MailRow {
  id: string;
  template: string;
  to: string;
  subject: string;
  state: 'waiting' | 'sent' | 'kept' | 'failed';
  stateText: string;
  attempts: number;
  createdText: string;
  finishedText: string | null;
  /** When it is tried next; null for one that is not. */
  dueText: string | null;
  error: string | null;
}

export interface JobRow {
  id: string;
  kind: string;
  /** `application:ID`, `applicant:ID`, or its kind for what recurs. */
  subject: string;
  /** It is not tried again by itself. */
  parked: boolean;
  attempts: number;
  dueText: string;
  error: string | null;
}

export interface AdminDeliveriesProps {
  /** Of the emails that are shown; empty for all. */
  state: string;
  states: Choice[];
  /** Newest first. */
  mails: MailRow[];
  /** Parked ones first. */
  jobs: JobRow[];
  /** Most rows of each list. */
  most: number;
  mailsWaiting: number;
  mailsFailed: number;
  jobsWaiting: number;
  jobsParked: number;
  form: FormState;
}

/** A decision on the list of what is to be released. */
export interface DecisionRow {
  id: string;
  /** The application's decision. */
  href: string;
  name: string;
  reference: string;
  program: string;
  stage: string;
  /** "Acceptance" or "Rejection". */
  outcome: string;
  rejects: boolean;
  /** The letter, and how many conditions or reasons. */
  detail: string;
  /** No interview was held, for a reason that was given. */
  waived: boolean;
  draftedText: string;
  /** When it is released by itself. */
  plannedText: string | null;
  /** Until when it can be recalled, of one that is released. */
  heldUntilText: string | null;
  releasedText: string | null;
  /** Why it cannot be released as it is. */
  problem: string | null;
  /** What became of it. */
  result: string | null;
  failed: boolean;
}

export interface DecisionStep {
  title: string;
  rows: DecisionRow[];
  done: boolean;
}

export interface AdminDecisionsProps {
  /** Oldest first. */
  drafts: DecisionRow[];
  moreText: string | null;
  held: DecisionRow[];
  step: DecisionStep | null;
  /** The institute's, IANA. */
  zone: string;
  form: FormState;
}

/** A line of the record. */
export interface AuditRow {
  id: string;
  atText: string;
  /** Who did it: a name of the office, `applicant:ID` or `system`. */
  actor: string;
  action: string;
  subject: string;
  /** Null for what has no page. */
  subjectHref: string | null;
  /** May be empty. */
  detail: string;
}

export interface AdminAuditProps {
  /** Newest first. */
  rows: AuditRow[];
  nextHref: string | null;
  /** The search, by the fields' names. */
  form: FormState;
}

export interface AdminFormHealthProps {
  /** How many are looked back on. */
  days: number;
  spans: number[];
  /** Most errors first. */
  fields: { path: string; errors: number }[];
}

export interface OfficeRoutes extends ContractRoutes, DossierRoutes, VerdictRoutes {
  adminFunding: AdminFundingProps;
  adminFinance: AdminFinanceProps;
  adminDecisions: AdminDecisionsProps;
  adminAudit: AdminAuditProps;
  adminFormHealth: AdminFormHealthProps;
  adminDeliveries: AdminDeliveriesProps;
  adminSettings: AdminSettingsProps;
  adminSetting: AdminSettingProps;
  adminTexts: AdminTextsProps;
  adminQuestionnaires: AdminQuestionnairesProps;
  adminQuestionnaire: AdminQuestionnaireProps;
  adminQuestionnairePreview: AdminQuestionnairePreviewProps;
  adminQuestionnairePublish: AdminQuestionnairePublishProps;
  adminApplications: AdminApplicationsProps;
  adminBulk: AdminBulkProps;
  adminFigures: AdminFiguresProps;
  adminLogin: AdminLoginProps;
  adminForgotten: AdminForgottenProps;
  adminInvitation: AdminInvitationProps;
  adminStepUp: AdminStepUpProps;
  adminAccount: AdminAccountProps;
  adminSecondFactor: AdminSecondFactorProps;
  adminRecoveryCodes: AdminRecoveryCodesProps;
  adminAdmins: AdminAdminsProps;
  adminAdmin: AdminAdminProps;
  adminProblem: ProblemProps;
}
