// One page of every route, full enough to reach most of what its screen can show.
import type { DossierFrame, OfficeDocument, OfficeMail } from '../client/api/office-dossier';
import type {
  ApplicationData,
  DocumentFile,
  DocumentSlot,
  HeldTime,
  Page,
  ProgramInfo,
  Question,
  RouteName,
  ScheduleProps,
  ScheduleView,
  SectionId,
  SectionStates,
  Shared,
  ToldTime,
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
  language: 'en',
  institute: 'Test & Co Institute',
  contactEmail: 'admissions@example.org',
  development: true,
  banner: { version: 3, text: 'Closed on "Monday" & <Tuesday>' },
};

const inOffice: Shared = {
  ...shared,
  path: '/admin-panel/admins?done=invited',
  office: {
    name: 'Demo & Owner',
    email: 'owner@example.org',
    role: 'Owner',
    menu: [{ label: 'Admins', icon: 'person', href: '/admin-panel/admins' }],
  },
};

const admin = {
  id: '1',
  href: '/admin-panel/admins/1',
  name: 'Demo "Owner"',
  email: 'owner@example.org',
  role: 'owner',
  roleTitle: 'Owner',
  isSelf: false,
  suspended: false,
  secondFactor: true,
  lastSeenText: null,
};

const pending = {
  id: '1',
  href: '/admin-panel/applications/1/decision',
  name: 'Demo <Sample>',
  reference: 'B26-7KX4-M9CT',
  program: 'Bachelor’s',
  stage: 'Interview held',
  outcome: 'Acceptance',
  rejects: false,
  detail: 'Offer of a place, 1 condition',
  waived: true,
  draftedText: 'Demo Decider, Mon, May 4',
  plannedText: null,
  heldUntilText: null,
  releasedText: null,
  problem: sentence,
  result: null,
  failed: false,
};

const ruling = {
  id: '1',
  outcome: 'Rejection',
  editHref: '/admin-panel/applications/1/decision?draft=reject',
  letter: 'No place',
  paragraphs: ['Dear <Demo>,', '• One'],
  conditions: ['A "diploma"'],
  reasons: [{ sentence, told: true }],
  intake: 'August 2026',
  waiver: sentence,
  draftedText: 'Demo Decider, Mon, May 4',
  plannedText: 'Tue, May 5',
  releasedText: null,
  heldUntilText: null,
  problem: sentence,
};

const invitation = {
  id: '1',
  email: 'new@example.org',
  roleTitle: 'Viewer',
  sentText: 'today',
  untilText: 'in a week',
  expired: false,
};

const frame: DossierFrame = {
  id: 'a1',
  name: 'Demo & Person',
  reference: 'B26-7KX4-M9CT',
  program: 'Bachelor’s',
  stage: 'Submitted',
  status: 'incomplete',
  waitingDays: 3,
  needsAction: true,
  revision: 4,
  owner: '1',
  ownerName: 'Demo "Owner"',
  owners: [{ value: '1', label: 'Demo "Owner"' }],
  mayAssign: true,
  tags: ['second look'],
  acts: [{ label: 'Withdraw for the applicant', href: '/admin-panel/applications/a1/act?act=withdraw' }],
  tabs: [
    { label: 'Application', href: '/admin-panel/applications/a1', current: true },
    { label: 'Notes', href: '/admin-panel/applications/a1/notes', current: false },
  ],
  backHref: '/admin-panel/applications?tab=all',
  previousHref: '/admin-panel/applications/a0?view=tab%3Dall',
  nextHref: '/admin-panel/applications/a2?view=tab%3Dall',
  tab: '',
  view: 'tab=all',
  lookers: ['Demo & Reviewer', 'Demo Owner'],
  meanwhile: [{ what: 'Stage', seen: 'Submitted', now: 'Interview booked, since then' }],
  alike: {
    text: 'Perhaps "twice"',
    href: '/admin-panel/applications/a1/duplicates?view=tab%3Dall',
    open: true,
  },
};

const officeDocument: OfficeDocument = {
  slot: 'identity',
  label: 'Identity & more',
  why: sentence,
  required: true,
  state: 'received',
  word: 'To be looked at',
  decidedText: null,
  reason: null,
  seen: 'received.0.7',
  mayAccept: true,
  mayReplace: true,
  mayWaive: true,
  files: [],
};

const officeFile = {
  id: 'f1',
  name: 'A "quoted".pdf',
  words: sentence,
  href: '/admin-panel/applications/a1/file?file=f1',
  previewHref: '/admin-panel/applications/a1/preview?file=f1',
};

const officeNote = {
  id: 'n1',
  author: 'Demo & Reviewer',
  text: 'One <b>.\nTwo @Demo.',
  revision: 1,
  pinned: true,
  own: true,
  writtenText: 'today',
  editedText: 'now',
};

const officeMail: OfficeMail = {
  id: 'm1',
  subject: 'About "you"',
  to: 'zoe@example.org',
  text: 'One.\nTwo.',
  state: 'sent',
  stateText: 'Sent today',
  writtenText: 'today',
  mayResend: true,
};

const signedIn: Shared = {
  ...shared,
  viewer: {
    firstName: 'Zoë',
    lastName: 'O’Neil',
    email: 'zoe@example.org',
    applicationStatus: 'incomplete',
    unreadMessages: 3,
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
  questionnaire: { version: 1, answers: { why: 'So.\nAnd so.', mode: 'part', days: ['full'], abroad: true } },
};

const sections: SectionStates = {
  'about-you': 'complete',
  military: 'complete',
  education: 'in-progress',
  employment: 'complete',
  'financial-plan': 'not-started',
  'credit-transfer': 'complete',
  questions: 'in-progress',
};

const allComplete = Object.fromEntries(Object.keys(sections).map((id) => [id, 'complete'])) as SectionStates;

const HOURS = 'employment.currentEmployer.hoursPerWeek';

const choices = (...values: string[]) =>
  values.map((value) => ({ value, label: `The ${value}`, hint: sentence }));

const question = { label: sentence, help: sentence, required: true };
const options = choices('full', 'part');

const questions: Question[] = [
  { ...question, key: 'name', type: 'text', maxLength: 5, required: false },
  { ...question, key: 'why', type: 'longText', maxLength: 900 },
  { ...question, key: 'mode', type: 'choice', options },
  { ...question, key: 'days', type: 'several', options },
  { ...question, key: 'hours', type: 'number', onlyIf: { question: 'mode', is: 'part' } },
  { ...question, key: 'start', type: 'date', earliest: '2026-01-01' },
  { ...question, key: 'abroad', type: 'yesNo' },
  { ...question, key: 'proof', type: 'file', onlyIf: { question: 'abroad', is: true } },
  { ...question, key: 'whyNot', type: 'text', maxLength: 5, onlyIf: { question: 'abroad', is: false } },
];

const allChoices = {
  payments: choices('tuition_assistance', 'gi_bill', 'employer', 'scholarship', 'self_pay'),
  transferPrograms: choices('college', 'coaching'),
  yearsInRole: choices('<1', '1-2', '3-5', '6-10', '>10'),
  questionnaire: { version: 2, questions },
};

const documentFile = (state: DocumentFile['state'], more: Partial<DocumentFile> = {}): DocumentFile => ({
  id: state,
  name: `A "quoted" ${state}.pdf`,
  state,
  words: sentence,
  percent: null,
  href: null,
  removable: true,
  ...more,
});

const emptySlot: DocumentSlot = {
  slot: 'identity',
  label: 'Joint Services Transcript',
  why: sentence,
  required: false,
  state: 'needed',
  word: 'Needed',
  reason: null,
  isOpen: true,
  files: [],
  errors: [],
};

const told: ToldTime = {
  startsAt: '2026-05-12T12:00:00Z',
  day: 'Tuesday, May 12, 2026',
  time: '14:00 CEST',
  institute: '08:00 EDT',
};

const schedule: Omit<ScheduleProps, 'view'> = {
  revision: 4,
  idempotencyKey: 'k4',
  zone: 'Europe/Berlin',
  instituteZone: 'America/New York',
  zoneIsChosen: false,
  form: { values: {}, errors: {} },
};

const hold: HeldTime = { time: told, minutes: 40, untilText: '14:05', secondsLeft: 290 };

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
    section: null,
    fromCheck: false,
    missing: [{ path: 'education.country', section: 'education', sentence, href: null }],
    changes: null,
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
    changes: null,
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
    applicationHref: '/bachelor/application',
    interview: null,
  },
  schedule: {
    ...schedule,
    form: { values: {}, errors: {}, error: 'Somebody has just taken this time. Choose another one.' },
    view: {
      name: 'choose',
      week: {
        title: 'May 11 – May 17, 2026',
        earlier: '/schedule?week=2026-05-04',
        later: '/schedule?week=2026-05-18',
        days: [
          { weekday: 'Mon', date: 'May 11', long: 'Monday, May 11', times: [] },
          {
            weekday: 'Tue',
            date: 'May 12',
            long: 'Tuesday, May 12',
            times: [
              { startsAt: told.startsAt, time: '14:00', institute: told.institute },
              { startsAt: '2026-05-12T13:00:00Z', time: '15:00', institute: null },
            ],
          },
        ],
      },
      hold: null,
      holdIsOver: true,
      wishes: null,
      current: null,
    },
  },
  resetPassword: { token: '', done: false, values: {}, errors: { token: 'Enter the code' } },
  dashboard: {
    application: {
      programName: info.name,
      status: 'incomplete',
      stage: 'submitted',
      known: null,
      reference: 'B26-7KX4-M9CT',
      title: 'Submitted',
      meaning: sentence,
      whoseTurn: 'Yours',
      byWhen: 'Monday, July 20, 2026',
      startedText: 'Started on Monday',
      savedText: 'Saved 14:02',
      submittedText: 'Mon, May 4, 2026, 07:00 CDT',
      canWithdraw: false,
    },
    undo: { action: 'undo-withdraw', title: sentence, untilText: '07:15', revision: 7, idempotencyKey: 'k2' },
    decision: null,
    form: null,
    loadFailed: false,
    nextStep: { title: 'Finish', text: sentence, href: '/bachelor/application', label: 'Continue' },
    documents: { settled: 1, of: 3, text: '1 of 3 documents received', hint: sentence },
    timeline: [
      { label: 'Applied', state: 'done', date: 'Monday' },
      { label: 'Interview', state: 'current', date: null },
      { label: 'Decision', state: 'upcoming', date: null },
    ],
    past: [],
    side: { title: 'Application Progress', description: sentence },
  },
  letter: {
    name: 'Zoë O’Neil',
    reference: 'B26-7KX4-M9CT',
    dateText: 'Monday, May 4, 2026',
    text: `Dear Zoë,\n\n${sentence}\n\n• A "diploma" & more\n• <Two>\n\n${sentence}`,
  },
  pastApplication: {
    info,
    endedText: 'Withdrawn on Monday',
    submittedText: 'Mon, May 4, 2026, 07:00 CDT',
    reference: 'B26-7KX4-M9CT',
    data,
    choices: allChoices,
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
    pendingEmail: 'zoe.new@example.org',
    reminders: true,
    language: 'en',
    instituteTimeZone: 'America/New_York',
    timeZones: ['Europe/Berlin', 'America/New_York'],
    sessions: [
      { id: 's1', current: true, device: 'Chrome on Windows', startedText: 'Monday', lastSeenText: 'now' },
      { id: 's2', current: false, device: 'Safari on iPhone', startedText: 'Sunday', lastSeenText: 'Sunday' },
    ],
    forms: { password: { values: {}, errors: { currentPassword: 'This is not your password' } } },
  },
  documents: {
    slots: [
      {
        slot: 'identity',
        label: 'Proof of identity',
        why: sentence,
        required: true,
        state: 'replace',
        word: 'Please send again',
        reason: sentence,
        isOpen: true,
        files: [
          documentFile('received', { href: '/dashboard/documents/f1' }),
          documentFile('uploading', { percent: 38 }),
          documentFile('checking'),
          documentFile('refused'),
        ],
        errors: [`a.exe: ${sentence}`],
      },
      { ...emptySlot, slot: 'jst', state: 'needed', word: 'Needed' },
      {
        ...emptySlot,
        slot: 'gi-bill',
        state: 'accepted',
        word: 'Accepted',
        isOpen: false,
        files: [documentFile('received', { href: '/dashboard/documents/f2', removable: false })],
      },
    ],
    others: [
      { ...emptySlot, slot: 'cv', state: 'received', word: 'Received', files: [documentFile('received')] },
    ],
    loadFailed: false,
    progress: { settled: 1, of: 3, text: '1 of 3 documents received', hint: sentence },
    room: 3,
    maxBytes: 26_214_400,
    accept: '.pdf,.jpg',
    startHref: '/bachelor/apply',
    message: 'Your file has arrived.',
    error: sentence,
  },
  changeEmail: {
    email: 'zoe@example.org',
    pending: null,
    values: { email: 'zoe' },
    errors: { email: 'Enter an email address', currentPassword: 'This is not your password' },
  },
  confirmEmail: {
    token: 't&1',
    link: { email: 'zoe.new@example.org', side: 'old', confirmed: false },
    outcome: null,
    error: sentence,
  },
  closeAccount: {
    email: 'zoe@example.org',
    application: info.name,
    bound: false,
    retentionYears: 7,
    keptUntil: 'Friday, May 4, 2033',
    contactEmail: 'admissions@example.org',
    done: false,
    form: { values: { confirm: 'yes' }, errors: { currentPassword: 'This is not your password' } },
  },
  messages: {
    messages: [
      {
        href: '/dashboard/messages/m1',
        subject: sentence,
        sentText: 'Mon, May 4, 2026, 07:00 CDT',
        unread: true,
        delivery: { state: 'leaving', words: 'On its way to zoe@example.org' },
      },
      {
        href: '/dashboard/messages/m2',
        subject: 'Application started',
        sentText: 'Sun, May 3, 2026, 07:00 CDT',
        unread: false,
        delivery: { state: 'failed', words: 'Could not be delivered to zoe@example.org' },
      },
    ],
    olderHref: '/dashboard/messages?before=m2',
    newestHref: '/dashboard/messages',
  },
  message: {
    subject: sentence,
    sentText: 'Mon, May 4, 2026, 07:00 CDT',
    delivery: { state: 'sent', words: 'Sent to zoe@example.org' },
    text: 'Dear Zoë,\n\nGo on:\nhttp://localhost/dashboard\n\nAdmissions',
  },
  adminLogin: { step: 'password', values: { email: 'staff@example.org' }, errors: {}, error: 'Try again' },
  adminForgotten: { step: 'ask', token: '', values: { email: 'a@b' }, errors: {}, error: 'Try again' },
  adminInvitation: {
    token: 'abc',
    invited: { email: 'new@example.org', role: 'Reviewer', purpose: sentence },
    values: { name: 'Demo' },
    errors: { password: sentence },
  },
  adminStepUp: {
    idle: false,
    needsCode: true,
    email: 'staff@example.org',
    to: '/admin-panel/admins',
    fields: [{ name: 'carried.email', value: '"a" & <b>' }],
    form: { values: {}, errors: { code: sentence } },
  },
  adminAccount: {
    name: 'Demo',
    email: 'staff@example.org',
    role: 'Owner',
    purpose: sentence,
    secondFactor: true,
    secondFactorRequired: false,
    recoveryCodesLeft: 9,
    sessions: [
      { id: '1', current: true, device: 'Firefox on Linux', startedText: 'today', lastSeenText: 'today' },
      { id: '2', current: false, device: sentence, startedText: 'yesterday', lastSeenText: 'today' },
    ],
    forms: { name: { values: {}, errors: { name: sentence } } },
  },
  adminSecondFactor: {
    seed: 'x',
    secret: 'ABCD EFGH',
    uri: 'otpauth://totp/a:b?secret=ABCD&issuer=a',
    picture: { size: 25, path: 'M0 0h7v1h-7z' },
    required: false,
    values: {},
    errors: {},
  },
  adminRecoveryCodes: { codes: ['a-1', 'b-2'], downloadHref: 'data:text/plain,a', nextHref: '/admin-panel' },
  adminApplications: {
    tabs: [
      {
        label: 'Needs action',
        href: '/admin-panel/applications?tab=needs-action',
        count: '3',
        current: true,
      },
      { label: 'All', href: '/admin-panel/applications?tab=all', count: '1,000+', current: false },
    ],
    values: { tab: 'needs-action', q: 'Zoë', sort: 'waiting', program: 'ba', interviewFrom: '2026-05-31' },
    filters: [{ name: 'program', label: 'Program', options: choices('ba', 'msc') }],
    sorts: choices('waiting', 'name'),
    columns: choices('stage', 'tags'),
    columnChoices: choices('stage', 'tags', 'phone'),
    views: {
      all: [
        { id: '1', name: 'Mine', href: '?tab=all', shared: false, current: true, mayChange: true },
        { id: '2', name: 'Of all', href: '?tab=all&q=x', shared: true, current: false, mayChange: true },
      ],
      mayShare: true,
      key: 'key',
      deleting: '2',
    },
    active: [{ label: 'Program: Bachelor’s', href: '/admin-panel/applications?tab=needs-action' }],
    countText: '2 applications',
    rows: [
      {
        id: '1',
        href: '/admin-panel/applications/1?view=tab%3Dall',
        name: 'Zoë Demo',
        reference: 'B26-7KX4-M9CT',
        cells: ['Interview held', 'second look'],
        needsAction: true,
        lacksDocuments: true,
      },
      {
        id: '2',
        href: '/admin-panel/applications/2',
        name: 'Demo Two',
        reference: '',
        cells: ['Submitted', '–'],
        needsAction: false,
        lacksDocuments: false,
      },
    ],
    previousHref: '/admin-panel/applications?before=1~2',
    nextHref: '/admin-panel/applications?after=1~2',
    clearHref: '/admin-panel/applications?tab=needs-action',
    here: 'tab=needs-action',
    work: { label: 'Decisions to release', href: '/admin-panel/decisions' },
    exports: [{ label: 'Save as CSV', href: '/admin-panel/applications.csv?tab=needs-action' }],
    mayAssign: true,
    acts: [{ label: 'Write a mail…', href: '/admin-panel/applications/mail', action: 'write' }],
    whole: 'All 73 applications of this view, not only this page',
    owners: choices('1', '2'),
    tags: ['second look'],
    bulk: {
      title: 'Tag “x” on 2 applications',
      action: 'tag',
      value: 'x',
      rows: [
        { id: '1', name: 'Zoë Demo', reference: 'B26-7KX4-M9CT', outcome: null, failed: false },
        { id: '2', name: 'Demo Two', reference: '', outcome: 'Done', failed: true },
      ],
      done: false,
    },
    form: { values: {}, errors: { id: sentence } },
  },
  adminBulk: {
    act: 'mail',
    step: 'look',
    title: 'Send this mail to 2 applicants?',
    rows: [
      {
        id: '1',
        href: '/admin-panel/applications/1',
        name: 'Zoë Demo',
        reference: 'B26-7KX4-M9CT',
        stage: 'Submitted',
        told: null,
        failed: false,
      },
      { id: '2', href: '', name: 'Gone', reference: '', stage: '', told: sentence, failed: true },
    ],
    samples: [
      { name: 'Zoë Demo', subject: 'About <B26>', paragraphs: ['Dear Zoë,', sentence] },
      { name: 'Demo Two', subject: null, paragraphs: ['Dear Demo,', '• One\n• Two'] },
    ],
    mailFields: ['{firstName}', '{program}'],
    documents: choices('identity', 'cv'),
    draft: null,
    needsWaiver: false,
    here: 'tab=needs-action&q=Zo%C3%AB',
    formKey: 'k',
    form: { values: { subject: 'About', text: 'One\nTwo', count: '3' }, errors: { count: sentence } },
  },
  adminFigures: {
    statuses: ['Incomplete', 'Enrolled'],
    weeks: [
      { week: 'Nov 9', byStatus: [3, 0], submitted: 3, decided: 0, medianDays: null, mostDays: null },
      { week: 'Nov 16', byStatus: [1200, 30], submitted: 1230, decided: 4, medianDays: 9, mostDays: 31 },
    ],
    waits: ['0 to 6 days', '7 days or longer'],
    waiting: [{ stage: 'Submitted', counts: [3, 1], href: '/admin-panel/applications?stage=submitted' }],
    countedText: 'then',
  },
  adminDecisions: {
    drafts: [
      pending,
      { ...pending, id: '2', rejects: true, outcome: 'Rejection', plannedText: 'Tue, May 5' },
    ],
    moreText: sentence,
    held: [
      { ...pending, id: '3', releasedText: 'Demo Owner, now', heldUntilText: '12:15 CDT', problem: null },
    ],
    step: {
      title: 'Release 1 decision',
      rows: [{ ...pending, result: sentence, failed: true }],
      done: false,
    },
    zone: 'America/Chicago',
    form: { values: { when: 'later', day: '2026-05-05' }, errors: { count: 'Type 1 to confirm' } },
  },
  adminInterview: {
    frame,
    interview: { whenText: 'Tue, May 5', minutes: 40, interviewer: sentence, state: 'Held', noShows: 1 },
    times: choices('2026-05-05T12:00:00Z'),
    bookLabel: 'Book this time',
    wishes: choices('2026-05-06T12:00:00Z'),
    mayCancel: true,
    mayRecord: true,
    mayUndo: true,
    sheet: {
      lines: [{ label: 'Motivation', points: 5 }],
      recommendation: 'Accept',
      comment: sentence,
      writtenText: 'Demo Owner, now',
    },
    scoring: {
      criteria: choices('motivation', 'goals'),
      recommendations: choices('accept'),
      revision: 1,
      values: { motivation: '5', comment: '<b>' },
    },
    formKey: 'k',
    form: { values: { goals: '3' }, errors: { goals: sentence, startsAt: sentence } },
  },
  adminInterviews: {
    people: choices('1', '2'),
    staff: '1',
    staffName: 'Demo & Owner',
    isOwn: false,
    week: '2026-05-04',
    weekText: 'May 4, 2026 to May 10, 2026',
    previousHref: '/admin-panel/interviews?week=2026-04-27',
    nextHref: '/admin-panel/interviews?week=2026-05-11',
    thisWeekHref: '/admin-panel/interviews',
    days: [
      {
        date: '2026-05-04',
        label: 'Mon, May 4',
        slots: [
          { id: '1', timeText: '09:00', state: 'free', label: 'Free', href: null },
          { id: '2', timeText: '10:00', state: 'done', label: 'Demo <Sample>', href: '/admin-panel/a' },
          { id: '3', timeText: '11:00', state: 'missed', label: 'Demo', href: '/admin-panel/b' },
        ],
      },
      { date: '2026-05-05', label: 'Tue, May 5', slots: [] },
    ],
    rules: {
      revision: 2,
      timeZone: 'America/New_York',
      minutes: 40,
      buffer: 10,
      notice: 24,
      weekly: ['Monday, 09:00-12:00'],
      exceptions: [],
    },
    weekdays: choices('1', '2'),
    zones: ['America/New_York'],
    feed: { sinceText: 'Mon, May 4', address: 'https://apply.example.org/calendar/a.ics' },
    form: { values: { minutes: '5' }, errors: { minutes: sentence } },
  },
  adminDecision: {
    frame,
    draft: ruling,
    released: { ...ruling, releasedText: 'Demo Owner, now', heldUntilText: '12:15 CDT', problem: null },
    former: [{ id: '9', text: sentence }],
    mayDraft: true,
    mayRelease: true,
    needsWaiver: true,
    editor: {
      outcome: 'reject',
      letters: choices('no_place'),
      reasons: choices('places', 'goals'),
      intakes: choices('2026-08'),
      seen: '1',
      closeHref: '/admin-panel',
    },
    preview: ['Dear Demo,', '• One\n• Two'],
    acts: { recall: true, reverse: true, reopen: true },
    zone: 'America/Chicago',
    formKey: 'k',
    form: {
      values: { tell: 'some', reasons: ['places'] },
      errors: { shownReasons: sentence, reason: sentence },
    },
  },
  adminApplication: {
    frame,
    person: [{ name: 'Email', value: 'zoe@example.org' }],
    versions: choices('1', 'now'),
    version: 'now',
    against: '1',
    changesText: sentence,
    sections: [
      {
        title: 'Employment & more',
        answers: [
          { name: 'Same', value: sentence, change: null, before: null },
          { name: 'Changed', value: '40', change: 'changed', before: '<20>' },
          { name: 'Added', value: 'x', change: 'added', before: null },
          { name: 'Gone', value: null, change: 'gone', before: 'y' },
        ],
      },
    ],
    form: { values: { newTag: 'a:b' }, errors: { newTag: sentence } },
  },
  adminDocuments: {
    frame,
    slots: [
      {
        ...officeDocument,
        files: [officeFile, { ...officeFile, id: 'f3', href: null, previewHref: null }],
      },
    ],
    others: [
      {
        ...officeDocument,
        slot: 'cv',
        state: 'replace',
        decidedText: 'Another one asked for by Demo',
        reason: sentence,
        mayAccept: false,
      },
    ],
    form: { values: { 'reason-identity': 'a <b>' }, errors: { 'reason-identity': sentence } },
  },
  adminNotes: {
    frame,
    notes: [officeNote, { ...officeNote, id: 'n2', own: false, pinned: false, editedText: null }],
    search: 'one "two"',
    names: ['@Demo & Reviewer'],
    editing: 'n1',
    idempotencyKey: 'k5',
    form: { values: { note: 'a <b>' }, errors: { note: sentence } },
  },
  adminEmails: {
    frame,
    to: 'zoe@example.org',
    mails: [officeMail, { ...officeMail, id: 'm2', state: 'waiting', stateText: 'Queued', mayResend: false }],
    idempotencyKey: 'k6',
    form: { values: { subject: 'a <b>' }, errors: { text: sentence } },
  },
  adminTimeline: {
    frame,
    events: [
      {
        whenText: 'today',
        who: 'The applicant',
        words: 'Withdrawn',
        from: 'Submitted',
        to: 'Archived',
        detail: null,
        reason: 'One <b>.\nTwo.',
      },
      {
        whenText: 'then',
        who: 'Demo & Owner',
        words: 'Tag added',
        from: null,
        to: null,
        detail: 'second look',
        reason: null,
      },
    ],
    unbroken: true,
    form: { values: {}, errors: {} },
  },
  adminAct: {
    frame,
    act: {
      name: 'request_changes',
      path: '/act',
      title: 'Ask for changes',
      button: 'Ask for these changes',
      text: sentence,
      request: 'Asked then: "x"',
      sections: choices('education', 'employment'),
      reason: 'For the record.',
      intakes: choices('2027-01'),
      wish: { id: 'w1', text: sentence, intake: '2027-01', reason: 'A <baby> & more' },
      rechecked: 'I have checked the conditions again',
    },
    obstacle: null,
    idempotencyKey: 'k7',
    form: {
      values: { sections: ['education'], message: 'a <b>' },
      errors: { dueOn: sentence, sections: sentence },
    },
  },
  adminDuplicates: {
    frame,
    twins: [
      {
        id: 'a9',
        name: 'Demo & Person',
        reference: 'M26-7KX4-M9CT',
        href: '/admin-panel/applications/a9/duplicates?view=tab%3Dall',
        lines: [
          { what: 'Name', here: 'Demo & Person', there: 'Demo & Person', same: true },
          { what: 'Email', here: 'a@b', there: 'c@d', same: false },
        ],
        verdict: null,
      },
      { id: 'a8', name: 'Demo', reference: 'M26', href: '/x', lines: [], verdict: 'Two people. Demo, now' },
    ],
    form: { values: {}, errors: { other: sentence } },
  },
  adminAdmins: {
    admins: [admin, { ...admin, id: '2', name: '', isSelf: true, suspended: true, secondFactor: false }],
    invitations: [invitation, { ...invitation, id: '2', expired: true }],
    roles: choices('owner', 'viewer'),
    secondFactorRequired: true,
    form: { values: { email: 'a@b' }, errors: { email: sentence } },
  },
  adminAdmin: {
    admin,
    roles: choices('owner', 'viewer'),
    form: { values: {}, errors: {}, message: sentence },
  },
  adminQuestionnaires: {
    programs: [
      {
        name: 'Bachelor’s program',
        editHref: '/admin-panel/questionnaires/bachelor',
        draft: { changedText: 'now', changedBy: 'Demo "Owner"', mistakes: 2 },
        versions: (['published', 'earlier', 'archived'] as const).map((state, index) => ({
          id: `v${index}`,
          version: 3 - index,
          state,
          questions: 5,
          publishedText: 'then',
          publishedBy: index === 0 ? 'Demo & Owner' : null,
          restoredFrom: index === 0 ? 1 : null,
          previewHref: '/admin-panel/questionnaires/bachelor/preview?version=1',
          restoreHref: '/admin-panel/questionnaires/bachelor/publish?version=1',
        })),
      },
      {
        name: 'Master’s program',
        editHref: '/admin-panel/questionnaires/masters',
        draft: null,
        versions: [],
      },
    ],
    form: { values: {}, errors: {}, error: sentence },
  },
  adminQuestionnaire: {
    name: 'Bachelor’s program',
    path: '/admin-panel/questionnaires/bachelor',
    previewHref: '/admin-panel/questionnaires/bachelor/preview',
    publishHref: '/admin-panel/questionnaires/bachelor/publish',
    revision: 2,
    names: 'a1',
    published: 1,
    info: { changedText: 'now', changedBy: 'Demo Owner', mistakes: 1 },
    questions: ['text', 'yesNo', 'choice', 'number', 'date', 'file'].map((type, index) => ({
      key: `q${index}`,
      type,
      label: index === 0 ? '' : `Question "${type}"?`,
      help: index === 1 ? 'Help & more' : '',
      required: index % 2 === 0,
      removed: index === 5,
      maxLength: '20',
      min: '1',
      max: '',
      earliest: '2026-01-01',
      latest: '',
      options: [
        { value: 'a', label: 'A <b>' },
        { value: 'b', label: 'B' },
      ],
      onlyIf: index === 2 ? 'q1:yes' : index === 3 ? 'q2=a' : index === 4 ? 'q9:no' : '',
    })),
    kinds: choices('text', 'yesNo', 'choice', 'number', 'date', 'file'),
    most: 60,
    differences: [{ title: 'Why?', field: 'Help', first: 'a', second: '' }],
    form: { values: {}, errors: { 'questions.0.label': sentence, 'questions.2.options': sentence } },
  },
  adminQuestionnairePreview: {
    name: 'Bachelor’s program',
    version: 2,
    path: '/admin-panel/questionnaires/bachelor/preview',
    backHref: '/admin-panel/questionnaires',
    set: {
      version: 2,
      questions: [
        { key: 'why', type: 'longText', label: 'Why?', required: true, maxLength: 100 },
        { key: 'ready', type: 'yesNo', label: 'Ready?', required: false, help: 'Say so' },
        {
          key: 'when',
          type: 'several',
          label: 'When?',
          required: true,
          options: choices('morning', 'evening'),
          onlyIf: { question: 'ready', is: true },
        },
      ],
    },
    leftOut: 1,
    checked: true,
    form: {
      values: { 'questionnaire.answers.ready': 'yes', 'questionnaire.answers.when': 'evening' },
      errors: { 'questionnaire.answers.why': sentence },
    },
  },
  adminQuestionnairePublish: {
    name: 'Bachelor’s program',
    path: '/admin-panel/questionnaires/bachelor/publish',
    backHref: '/admin-panel/questionnaires/bachelor',
    version: null,
    published: 1,
    revision: 2,
    formKey: '0198',
    applications: 1200,
    differences: [{ title: 'Why?', field: 'Question', first: 'Is there', second: 'Is not there' }],
    form: { values: {}, errors: {} },
  },
  adminDeliveries: {
    state: 'failed',
    states: choices('waiting', 'failed', 'sent', 'kept'),
    mails: (['waiting', 'sent', 'kept', 'failed'] as const).map((state, index) => ({
      id: `m${index}`,
      template: 'application-started',
      to: 'a@example.org',
      subject: 'Application "started"',
      state,
      stateText: state,
      attempts: index,
      createdText: 'then',
      finishedText: index === 1 ? 'now' : null,
      dueText: index === 0 ? 'soon' : null,
      error: index === 3 ? 'No <route>' : null,
    })),
    jobs: [true, false].map((parked, index) => ({
      id: `j${index}`,
      kind: 'sweep',
      subject: parked ? 'application:1' : 'sweep',
      parked,
      attempts: index,
      dueText: 'now',
      error: parked ? 'Broken & parked' : null,
    })),
    most: 100,
    mailsWaiting: 1,
    mailsFailed: 2,
    jobsWaiting: 3,
    jobsParked: 1,
    form: { values: {}, errors: {}, message: sentence },
  },
  adminAudit: {
    rows: [
      {
        id: 'a1',
        atText: 'now',
        actor: 'Demo & Owner',
        action: 'staff.created',
        subject: 'staff:1',
        subjectHref: null,
        detail: 'role: <owner>',
      },
      {
        id: 'a2',
        atText: 'then',
        actor: 'applicant:1',
        action: 'application.started',
        subject: 'application:1',
        subjectHref: '/admin-panel/applications/1',
        detail: '',
      },
    ],
    nextHref: '/admin-panel/settings/audit?person=a&before=1~a2',
    form: { values: { person: 'a@b' }, errors: { person: sentence } },
  },
  adminFormHealth: {
    days: 30,
    spans: [7, 30, 365],
    fields: [
      { path: 'registration.email', errors: 1200 },
      { path: 'education.country', errors: 3 },
    ],
  },
  adminSettings: {
    settings: [
      { title: 'Banner', purpose: sentence, href: '/a', changedText: 'now', changedBy: 'Demo & Owner' },
      { title: 'Deadlines', purpose: sentence, href: '/b', changedText: null, changedBy: null },
    ],
    everything: true,
  },
  adminSetting: {
    title: 'Deadlines',
    purpose: sentence,
    path: '/admin-panel/settings/deadlines',
    version: 2,
    seeHref: '/bachelor/apply',
    fields: (['line', 'longLine', 'lines', 'text', 'number', 'date', 'choice'] as const).map((kind) => ({
      name: kind,
      label: `A "${kind}"`,
      hint: kind === 'line' ? '' : 'Hint',
      kind,
      value: 'One\nTwo & <three>',
      builtIn: 'One',
      group: kind === 'number' || kind === 'choice' ? '1. Reason & <more>' : '',
      choices: kind === 'choice' ? choices('yes', 'no') : [],
    })),
    extend: choices('2027-01', '2027-08'),
    differences: [{ title: 'A line', field: '', first: 'a', second: 'b' }],
    versions: [
      {
        version: 2,
        changedText: 'now',
        changedBy: 'Demo & Owner',
        restoredFrom: 0,
        changes: [{ title: 'A line', field: '', first: '', second: 'b' }],
      },
      { version: 1, changedText: 'then', changedBy: 'Demo Owner', restoredFrom: null, changes: [] },
      { version: 0, changedText: null, changedBy: null, restoredFrom: null, changes: [] },
    ],
    back: { value: '/admin-panel/settings', label: 'All settings' },
    text: {
      confidential: true,
      fields: [
        { name: '{link}', meaning: sentence, needed: true },
        { name: '{firstName}', meaning: sentence, needed: false },
      ],
      previews: [
        {
          code: 'en',
          language: 'English',
          subject: [{ text: 'News & <more>', sample: false }],
          parts: [
            {
              button: false,
              runs: [
                { text: 'Dear ', sample: false },
                { text: 'Sample\nPerson', sample: true },
              ],
            },
            { button: true, runs: [{ text: 'Read it', sample: false }] },
          ],
        },
      ],
      testTo: 'owner@example.org',
    },
    form: { values: {}, errors: { line: sentence } },
  },
  adminTexts: {
    title: 'Emails to applicants',
    intro: sentence,
    texts: [
      { title: 'A mail', purpose: sentence, href: '/a', changedText: 'now', changedBy: 'Demo & Owner' },
      { title: 'Another', purpose: sentence, href: '/b', changedText: null, changedBy: null },
    ],
    fixed: [sentence, 'More'],
  },
  adminProblem: { heading: 'Your role does not allow this', text: sentence },
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
        attachment: { name: 'interview.ics', href: 'data:text/calendar;base64,QQ==' },
      },
    ],
  },
  crash: { message: '' },
};

const sectionIds = Object.keys(sections) as SectionId[];

const scheduleViews: ScheduleView[] = [
  {
    name: 'closed',
    title: 'Apply first',
    text: sentence,
    href: '/bachelor/apply',
    label: 'See the program',
  },
  { name: 'choose', week: null, hold, holdIsOver: false, wishes: [told], current: null },
  { name: 'choose', week: null, hold: null, holdIsOver: false, wishes: null, current: told },
  { name: 'confirm', hold, current: null },
  { name: 'confirm', hold, current: { ...told, institute: null } },
  {
    name: 'wishes',
    noneFree: true,
    fields: [
      { date: '2026-05-12', time: '14:00' },
      { date: '', time: '' },
    ],
    sent: [told],
  },
  { name: 'wishes', noneFree: false, fields: [{ date: '', time: '' }], sent: null },
  {
    name: 'booked',
    time: told,
    minutes: 40,
    countdown: 'in 8 days',
    hasBegun: false,
    moveUntil: 'Mon, May 11, 2026, 14:00 CEST',
    movesLeft: 1,
    noMove: null,
    noCancel: null,
  },
  {
    name: 'booked',
    time: told,
    minutes: 40,
    countdown: 'today',
    hasBegun: true,
    moveUntil: 'Mon, May 11, 2026, 14:00 CEST',
    movesLeft: 0,
    noMove: sentence,
    noCancel: sentence,
  },
  { name: 'zone', zones: ['Europe/Berlin', 'America/New_York'] },
];

/** What else the screens of some routes can show. */
const others: { [R in RouteName]?: Props[R][] } = {
  documents: [
    { ...props.documents, room: 0, others: [], message: null, error: null },
    { ...props.documents, slots: null, others: [], progress: null },
    { ...props.documents, slots: null, others: [], progress: null, loadFailed: true },
  ],
  thankYou: [{ ...props.thankYou, interview: told }],
  schedule: scheduleViews.map((view) => ({
    ...schedule,
    instituteZone: null,
    form: {
      values: { timeZone: 'Mars', reason: 'a <b>', 'wishes.0.date': '2026-02-30' },
      errors: {
        timeZone: 'Choose a time zone from the list.',
        reason: sentence,
        'wishes.0.date': sentence,
      },
      message: sentence,
    },
    view,
  })),
  dashboard: [
    {
      ...props.dashboard,
      application: {
        ...props.dashboard.application!,
        status: 'accepted',
        stage: 'offered',
        known: { revision: 3, idempotencyKey: 'k4' },
        canWithdraw: true,
      },
      undo: null,
      decision: {
        title: sentence,
        text: sentence,
        conditions: [sentence, 'A "diploma" & more'],
        decidedText: 'Monday, May 4, 2026',
        offer: { replyBy: 'Friday, June 5, 2026, 23:59 Eastern Time', undoMinutes: 15 },
        deferral: {
          asked: sentence,
          refused: { text: sentence, reason: sentence },
          intakes: [{ value: '2027-01', label: 'January 2027' }],
        },
        canApplyAgain: true,
      },
      form: {
        action: 'ask-deferral',
        values: { intake: '2027-01', deferralReason: 'a <b>', withdrawReason: '' },
        errors: { intake: sentence, withdrawReason: 'Tell us why.' },
        error: sentence,
      },
      past: [
        { href: '/dashboard/applications/a1', programName: info.name, reference: null, endedText: sentence },
        { href: '/dashboard/applications/a2', programName: info.name, reference: 'B26', endedText: sentence },
      ],
    },
  ],
  pastApplication: [{ ...props.pastApplication, submittedText: null, reference: null }],
  adminApplication: [
    {
      ...props.adminApplication,
      person: null,
      versions: choices('1'),
      version: '1',
      against: '',
      changesText: null,
      frame: {
        ...frame,
        ownerName: null,
        mayAssign: false,
        tags: [],
        acts: [],
        needsAction: false,
        waitingDays: 1,
        previousHref: null,
        nextHref: null,
        lookers: [],
        meanwhile: [],
        alike: null,
      },
    },
  ],
  adminDocuments: [{ ...props.adminDocuments, slots: [], others: [] }],
  adminNotes: [{ ...props.adminNotes, notes: [], search: '', names: [], editing: null }],
  adminEmails: [{ ...props.adminEmails, to: null, mails: [] }],
  adminTimeline: [{ ...props.adminTimeline, unbroken: false }],
  adminAct: [{ ...props.adminAct, obstacle: 'A withdrawn application cannot be deferred.' }],
  adminForgotten: [
    { step: 'asked', token: '', values: {}, errors: {}, message: sentence },
    { step: 'choose', token: 'abc', values: {}, errors: { token: sentence } },
    { step: 'choose', token: 'abc', values: {}, errors: { passwordRepeat: sentence } },
    { step: 'done', token: '', values: {}, errors: {}, message: sentence },
  ],
  adminDuplicates: [{ ...props.adminDuplicates, twins: [] }],
  messages: [{ messages: [], olderHref: null, newestHref: null }],
  account: [
    {
      ...props.account,
      pendingEmail: null,
      forms: { data: { values: {}, errors: {}, error: sentence } },
    },
  ],
  changeEmail: [
    {
      email: 'zoe@example.org',
      pending: {
        email: 'zoe.new@example.org',
        oldConfirmed: true,
        newConfirmed: false,
        untilText: 'Tue, May 5, 2026, 07:00 CDT',
      },
      values: {},
      errors: {},
      message: sentence,
    },
  ],
  confirmEmail: [
    {
      token: 't1',
      link: { email: 'zoe.new@example.org', side: 'new', confirmed: true },
      outcome: 'waiting',
      error: null,
    },
    { token: 't1', link: null, outcome: 'changed', error: null },
    { token: 't1', link: null, outcome: 'stopped', error: null },
    { token: '', link: null, outcome: null, error: null },
  ],
  closeAccount: [
    { ...props.closeAccount, bound: true },
    { ...props.closeAccount, done: true },
  ],
  application: [
    ...sectionIds.map((section) => ({ ...props.application, section, fromCheck: section === 'military' })),
    {
      ...props.application,
      section: 'employment',
      form: { values: { [HOURS]: 'many' }, errors: { [HOURS]: sentence }, error: sentence },
      conflict: ['employment.currentEmployer.name', 'education.country'],
    },
    { ...props.application, otherProgram: { path: 'masters', name: sentence } },
    { ...props.application, application: null },
    { ...props.application, changes: { sections: ['education'], message: 'One.\nTwo.', dueText: 'Monday' } },
    {
      ...props.application,
      application: { ...props.application.application!, sections: allComplete },
      missing: [],
    },
    {
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
  ],
  check: [
    {
      ...props.check,
      missing: [
        { path: 'personalInfo.state', section: 'about-you', sentence, href: null },
        {
          path: 'questionnaire.answers.proof',
          section: 'questions',
          sentence,
          href: '/dashboard/documents#d-question-proof',
        },
      ],
      form: { values: {}, errors: {} },
    },
  ],
};

/** A page of every route, for somebody who is not signed in and for somebody who is. */
export const pages = (Object.keys(props) as RouteName[]).flatMap((route) =>
  [props[route], ...(others[route] ?? [])].flatMap((each) =>
    [shared, signedIn, inOffice].map((who) => {
      // Route and props belong together, which the compiler cannot follow here.
      return { route, status: 200, head: { title: route }, shared: who, props: each } as Page;
    }),
  ),
);
