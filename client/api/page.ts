// The contract between the document handlers in Rust (src/pages/page.rs) and every screen.
// A screen is a pure function of its Page: "now", zones and formatted dates come in as text.

export type ApplicationType = 'ba' | 'msc';
export type ProgramPath = 'bachelor' | 'masters';
export type Theme = 'system' | 'light' | 'dark';
export type ApplicationStatus =
  'none' | 'incomplete' | 'scheduled' | 'accepted' | 'rejected' | 'enrolled' | 'deferred';

/** What every screen knows, whatever the route. */
export interface Shared {
  /** Path and query as requested. */
  path: string;
  /** The program of the path, else the last one visited, else bachelor. */
  program: ProgramPath;
  viewer: Viewer | null;
  theme: Theme;
  institute: string;
  contactEmail: string;
  /** True in a development run: the footer links to the local mailbox. */
  development: boolean;
}

export interface Viewer {
  firstName: string;
  lastName: string;
  email: string;
  applicationStatus: ApplicationStatus;
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
}

/** How far a section of the application is, as the server knows it. */
export type SectionState = 'not-started' | 'in-progress' | 'complete';

export type SectionStates = Record<
  'about-you' | 'military' | 'education' | 'employment' | 'financial-plan' | 'credit-transfer',
  SectionState
>;

export interface Choices {
  payments: Choice[];
  transferPrograms: Choice[];
  yearsInRole: Choice[];
}

export interface Choice {
  value: string;
  label: string;
  hint?: string;
}

export interface ApplicationProps {
  info: Pick<ProgramInfo, 'path' | 'applicationType' | 'name' | 'degree'>;
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
  missing: { path: string; sentence: string }[];
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
  answerBy: string;
  applicationHref: string;
}

export interface DashboardProps {
  application: {
    programName: string;
    status: ApplicationStatus;
    stage: string;
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
  } | null;
  /** What was withdrawn a moment ago, and can be brought back until then. */
  withdrawn: { programName: string; untilText: string; revision: number; idempotencyKey: string } | null;
  /** Why a form of this page did nothing. */
  error: string | null;
  loadFailed: boolean;
  nextStep: { title: string; text: string; href: string; label: string };
  timeline: { label: string; state: 'done' | 'current' | 'upcoming'; date: string | null }[];
  side: { title: string; description: string };
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
  timeZones: string[];
  /** What dates are told in while no time zone is chosen. */
  instituteTimeZone: string;
  sessions: SessionInfo[];
  /** The form that came back, by its `_action`. */
  forms: { profile?: FormState; password?: FormState; sessions?: FormState };
}

export interface ResetPasswordProps extends FormState {
  /** The token of the mailed link, or empty: then the code field is shown. */
  token: string;
  done: boolean;
}

export interface AdminLoginProps extends FormState {
  /** The signed-in staff member, whose pages are not open yet. */
  staff: { email: string; role: string } | null;
}

/** Not found, bad request, address too long, wrong method, too busy. */
export interface ProblemProps {
  heading: string;
  text: string;
}

export interface MailboxProps {
  mails: { id: string; to: string; subject: string; sentText: string; text: string; state: string }[];
}

export interface Routes {
  apply: ApplyProps;
  application: ApplicationProps;
  check: CheckProps;
  thankYou: ThankYouProps;
  resetPassword: ResetPasswordProps;
  dashboard: DashboardProps;
  account: AccountProps;
  adminLogin: AdminLoginProps;
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
