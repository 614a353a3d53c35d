// One page of every route, full enough to reach most of what its screen can show.
import type {
  ApplicationData,
  Page,
  ProgramInfo,
  RouteName,
  SectionStates,
  Shared,
} from '../client/api/page';

/** HTML as React writes it: we write what is beyond Latin letters as references (see `escape`). */
export const withCharacters = (html: string) =>
  html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

const sentence = `You'll learn "by doing" & keep your own pace <from week one>.`;

const shared: Shared = {
  path: '/bachelor/apply',
  program: 'bachelor',
  viewer: null,
  theme: 'system',
  institute: 'Test & Co Institute',
  contactEmail: 'admissions@example.org',
  development: true,
};

const signedIn: Shared = {
  ...shared,
  viewer: {
    firstName: 'Zoë',
    lastName: 'O’Neil',
    email: 'zoe@example.org',
    applicationStatus: 'incomplete',
  },
};

const info: ProgramInfo = {
  path: 'bachelor',
  applicationType: 'ba',
  name: 'Bachelor’s program',
  degree: 'Bachelor of Arts',
  promise: sentence,
  length: 'Four years',
  cost: '$24,800',
  nextIntake: 'Monday, August 31, 2026',
  deadline: 'Monday, July 20, 2026',
  audience: [sentence, sentence],
  needs: [sentence],
  steps: [{ title: 'Apply', text: sentence }],
  payment: [{ title: 'GI Bill', text: sentence }],
  questions: [{ question: 'How long?', answer: sentence }],
};

const data: ApplicationData = {
  personalInfo: { isUSCitizen: true, isMilitaryAffiliated: true, isDoDEmployee: false, state: 'CA' },
  education: { hasBachelors: true, country: 'US', hasMasters: true, mastersCountry: 'DE' },
  employment: {
    isSeeingCoachingClients: false,
    isCurrentlyEmployed: true,
    currentEmployer: { name: 'A "quoted" name', jobTitle: 'Lead', hoursPerWeek: 40, yearsInRole: '3-5' },
    hasPreviousEmployment: true,
    previousEmployers: [{ name: 'B & C', jobTitle: 'Clerk', hoursPerWeek: 20, yearsInRole: '<1' }],
  },
  financialPlan: {
    selectedPayments: ['gi_bill', 'self_pay'],
    selfPayContribution: { upFrontContribution: 120_000, monthlyPaymentContribution: 25_050 },
  },
  creditTransfer: { selectedPrograms: ['college'] },
};

const sections: SectionStates = {
  'about-you': 'complete',
  military: 'complete',
  education: 'in-progress',
  employment: 'complete',
  'financial-plan': 'not-started',
  'credit-transfer': 'complete',
};

const choices = (...values: string[]) =>
  values.map((value) => ({ value, label: `The ${value}`, hint: sentence }));

const allChoices = {
  payments: choices('tuition_assistance', 'gi_bill', 'employer', 'scholarship', 'self_pay'),
  transferPrograms: choices('college', 'coaching'),
  yearsInRole: choices('<1', '1-2', '3-5', '6-10', '>10'),
};

type Props = { [R in RouteName]: Extract<Page, { route: R }>['props'] };

const props: Props = {
  apply: {
    info,
    action: 'register',
    continueHref: '/bachelor/application',
    dialog: {
      mode: 'register',
      redirect: '/bachelor/application',
      values: { firstName: 'Zoë', country: 'US', state: 'CA' },
      errors: { email: 'Enter an e-mail address' },
      error: 'Something is missing',
    },
  },
  application: {
    info,
    application: {
      id: 'a1',
      revision: 3,
      status: 'incomplete',
      stage: 'draft',
      data,
      sections,
      savedText: 'Saved 14:02',
    },
    sent: null,
    choices: allChoices,
    form: null,
    conflict: null,
    otherProgram: null,
    dialog: null,
  },
  check: {
    info,
    revision: 3,
    idempotencyKey: 'k1',
    data,
    sections,
    missing: [],
    choices: allChoices,
    declaration: sentence,
    form: { values: {}, errors: { declaration: 'Read the declaration and tick it.' }, error: sentence },
  },
  thankYou: {
    programName: info.name,
    reference: 'B26-7KX4-M9CT',
    submittedText: 'Mon, May 4, 2026, 07:00 CDT',
    email: 'zoe@example.org',
    steps: [{ title: 'We read it', text: sentence }],
    answerBy: 'Monday, May 18, 2026',
    applicationHref: '/bachelor/application',
  },
  resetPassword: { token: '', done: false, values: {}, errors: { token: 'Enter the code' } },
  dashboard: {
    application: {
      programName: info.name,
      status: 'incomplete',
      stage: 'submitted',
      reference: 'B26-7KX4-M9CT',
      title: 'Submitted',
      meaning: sentence,
      whoseTurn: 'Yours',
      byWhen: 'Monday, July 20, 2026',
      startedText: 'Started on Monday',
      savedText: 'Saved 14:02',
      submittedText: 'Mon, May 4, 2026, 07:00 CDT',
    },
    withdrawn: { programName: info.name, untilText: '07:15', revision: 7, idempotencyKey: 'k2' },
    error: sentence,
    loadFailed: false,
    nextStep: { title: 'Finish', text: sentence, href: '/bachelor/application', label: 'Continue' },
    timeline: [
      { label: 'Applied', state: 'done', date: 'Monday' },
      { label: 'Interview', state: 'current', date: null },
      { label: 'Decision', state: 'upcoming', date: null },
    ],
    side: { title: 'Application Progress', description: sentence },
  },
  account: {
    profile: {
      firstName: 'Zoë',
      lastName: 'O’Neil',
      email: 'zoe@example.org',
      dateOfBirth: '1990-02-28',
      phoneNumber: '+15551234567',
      country: 'US',
      state: 'CA',
      timeZone: 'Europe/Berlin',
    },
    instituteTimeZone: 'America/New_York',
    timeZones: ['Europe/Berlin', 'America/New_York'],
    sessions: [
      { id: 's1', current: true, device: 'Chrome on Windows', startedText: 'Monday', lastSeenText: 'now' },
      { id: 's2', current: false, device: 'Safari on iPhone', startedText: 'Sunday', lastSeenText: 'Sunday' },
    ],
    forms: { password: { values: {}, errors: { currentPassword: 'This is not your password' } } },
  },
  adminLogin: { staff: null, values: { email: 'staff@example.org' }, errors: {}, error: 'Try again' },
  problem: { heading: 'Not found', text: sentence },
  mailbox: {
    mails: [
      {
        id: 'm1',
        to: 'zoe@example.org',
        subject: 'Your code',
        sentText: 'now',
        text: 'See\nhttp://localhost/reset-password?token=x&y\n',
        state: 'kept',
      },
    ],
  },
  crash: { message: '' },
};

/** What else the screens of some routes can show. */
const others: { [R in RouteName]?: Props[R] } = {
  application: {
    ...props.application,
    sent: {
      reference: 'B26-7KX4-M9CT',
      submittedText: 'Mon, May 4, 2026, 07:00 CDT',
      canUnsubmit: true,
      canWithdraw: true,
      idempotencyKey: 'k3',
      form: { values: { reason: 'a <b>' }, errors: { reason: 'Tell us why.' } },
    },
  },
  check: {
    ...props.check,
    missing: [
      { path: 'personalInfo.state', sentence },
      { path: 'employment.previousEmployers.0.hoursPerWeek', sentence },
    ],
    form: { values: {}, errors: {} },
  },
};

/** A page of every route, for somebody who is not signed in and for somebody who is. */
export const pages = [props, others].flatMap((some) =>
  (Object.keys(some) as RouteName[]).flatMap((route) =>
    [shared, signedIn].map((who) => {
      // Route and props belong together, which the compiler cannot follow here.
      return { route, status: 200, head: { title: route }, shared: who, props: some[route] } as Page;
    }),
  ),
);
