import type { ComponentType } from 'react';
import type { Page, RouteName } from './api/page';

type Screen<R extends RouteName> = ComponentType<{ page: Extract<Page, { route: R }> }>;

/** The route table: the screen of every route. In the browser each is a chunk of its own. */
const table: { [R in RouteName]: () => Promise<{ default: Screen<R> }> } = {
  apply: () => import('./routes/apply'),
  application: () => import('./routes/application'),
  check: () => import('./routes/check'),
  thankYou: () => import('./routes/thank-you'),
  schedule: () => import('./routes/schedule'),
  resetPassword: () => import('./routes/reset-password'),
  dashboard: () => import('./routes/dashboard'),
  letter: () => import('./routes/letter'),
  contract: () => import('./routes/contract'),
  verify: () => import('./routes/verify'),
  funding: () => import('./routes/funding'),
  payments: () => import('./routes/payments'),
  pastApplication: () => import('./routes/past-application'),
  account: () => import('./routes/account'),
  documents: () => import('./routes/documents'),
  changeEmail: () => import('./routes/change-email'),
  confirmEmail: () => import('./routes/confirm-email'),
  closeAccount: () => import('./routes/close-account'),
  messages: () => import('./routes/messages'),
  message: () => import('./routes/message'),
  adminLogin: () => import('./routes/admin-login'),
  adminForgotten: () => import('./routes/admin-forgotten'),
  adminInvitation: () => import('./routes/admin-invitation'),
  adminStepUp: () => import('./routes/admin-step-up'),
  adminAccount: () => import('./routes/admin-account'),
  adminSecondFactor: () => import('./routes/admin-second-factor'),
  adminRecoveryCodes: () => import('./routes/admin-recovery-codes'),
  adminApplications: () => import('./routes/admin-applications'),
  adminBulk: () => import('./routes/admin-bulk'),
  adminFigures: () => import('./routes/admin-figures'),
  adminConditions: () => import('./routes/admin-conditions'),
  adminDecision: () => import('./routes/admin-decision'),
  adminDecisions: () => import('./routes/admin-decisions'),
  adminContract: () => import('./routes/admin-contract'),
  adminContracts: () => import('./routes/admin-contracts'),
  adminTemplate: () => import('./routes/admin-template'),
  adminInterview: () => import('./routes/admin-interview'),
  adminInterviews: () => import('./routes/admin-interviews'),
  adminFunding: () => import('./routes/admin-funding'),
  adminFinance: () => import('./routes/admin-finance'),
  adminApplication: () => import('./routes/admin-application'),
  adminDocuments: () => import('./routes/admin-documents'),
  adminNotes: () => import('./routes/admin-notes'),
  adminEmails: () => import('./routes/admin-emails'),
  adminTimeline: () => import('./routes/admin-timeline'),
  adminAct: () => import('./routes/admin-act'),
  adminDuplicates: () => import('./routes/admin-duplicates'),
  adminAdmins: () => import('./routes/admin-admins'),
  adminAdmin: () => import('./routes/admin-admin'),
  adminQuestionnaires: () => import('./routes/admin-questionnaires'),
  adminQuestionnaire: () => import('./routes/admin-questionnaire'),
  adminQuestionnairePreview: () => import('./routes/admin-questionnaire-preview'),
  adminQuestionnairePublish: () => import('./routes/admin-questionnaire-publish'),
  adminDeliveries: () => import('./routes/admin-deliveries'),
  adminAudit: () => import('./routes/admin-audit'),
  adminFormHealth: () => import('./routes/admin-form-health'),
  adminSettings: () => import('./routes/admin-settings'),
  adminSetting: () => import('./routes/admin-setting'),
  adminTexts: () => import('./routes/admin-texts'),
  adminProblem: () => import('./routes/admin-problem'),
  mailbox: () => import('./routes/mailbox'),
  problem: () => import('./routes/problem'),
  crash: () => import('./routes/crash'),
};

export const routeNames = Object.keys(table) as RouteName[];

const loaded = new Map<RouteName, ComponentType<{ page: Page }>>();

/** Makes a route's screen ready, so that rendering it never waits. Rejects when its chunk cannot be fetched. */
export async function load(route: RouteName): Promise<void> {
  if (loaded.has(route)) return;
  const module = await table[route]();
  // A page and the screen of its route belong together, which the map's type cannot say.
  loaded.set(route, module.default as ComponentType<{ page: Page }>);
}

/** The screen of a route that was loaded before. */
export function screenOf(route: RouteName): ComponentType<{ page: Page }> {
  const screen = loaded.get(route);
  if (!screen) throw new Error(`The screen of ${route} is not loaded`);
  return screen;
}

/** Which route a path most likely leads to, to fetch its chunk early; the server has the last word. */
export function guessRoute(path: string): RouteName | undefined {
  if (/^\/(bachelor|masters)\/apply$/.test(path)) return 'apply';
  if (/^\/(bachelor|masters)\/application\/check$/.test(path)) return 'check';
  if (/^\/(bachelor|masters)\/application(\/|$)/.test(path)) return 'application';
  if (path.startsWith('/dashboard/messages/')) return 'message';
  if (path.startsWith('/dashboard/applications/')) return 'pastApplication';
  if (path.startsWith('/admin-panel/admins/')) return 'adminAdmin';
  if (path.startsWith('/admin-panel/settings/')) return guesses[path] ?? 'adminSetting';
  if (/^\/admin-panel\/applications\/[^/]+$/.test(path)) return 'adminApplication';
  if (/^\/admin-panel\/applications\/[^/]+\/decision$/.test(path)) return 'adminDecision';
  if (/^\/admin-panel\/applications\/[^/]+\/conditions$/.test(path)) return 'adminConditions';
  if (/^\/admin-panel\/applications\/[^/]+\/interview$/.test(path)) return 'adminInterview';
  if (/^\/admin-panel\/applications\/[^/]+\/contract$/.test(path)) return 'adminContract';
  if (path.startsWith('/verify/')) return 'verify';
  return guesses[path];
}

const guesses: Record<string, RouteName> = {
  '/': 'apply',
  '/bachelor': 'apply',
  '/masters': 'apply',
  '/reset-password': 'resetPassword',
  '/thankyou': 'thankYou',
  '/schedule': 'schedule',
  '/dashboard': 'dashboard',
  '/dashboard/letter': 'letter',
  '/dashboard/contract': 'contract',
  '/dashboard/account': 'account',
  '/dashboard/documents': 'documents',
  '/dashboard/account/email': 'changeEmail',
  '/dashboard/account/close': 'closeAccount',
  '/confirm-email': 'confirmEmail',
  '/dashboard/messages': 'messages',
  '/admin-panel/login': 'adminLogin',
  '/admin-panel/forgot-password': 'adminForgotten',
  '/admin-panel/reset-password': 'adminForgotten',
  '/admin-panel/account': 'adminAccount',
  '/admin-panel/account/second-factor': 'adminSecondFactor',
  '/admin-panel/applications': 'adminApplications',
  '/admin-panel/applications/figures': 'adminFigures',
  '/admin-panel/decisions': 'adminDecisions',
  '/admin-panel/interviews': 'adminInterviews',
  '/admin-panel/contracts': 'adminContracts',
  '/admin-panel/contracts/templates/bachelor': 'adminTemplate',
  '/admin-panel/contracts/templates/masters': 'adminTemplate',
  '/admin-panel/finance': 'adminFinance',
  '/admin-panel/admins': 'adminAdmins',
  '/admin-panel/settings': 'adminSettings',
  '/admin-panel/settings/deliveries': 'adminDeliveries',
  '/admin-panel/settings/audit': 'adminAudit',
  '/admin-panel/settings/form-health': 'adminFormHealth',
  '/admin-panel/settings/mails': 'adminTexts',
  '/admin-panel/settings/letters': 'adminTexts',
  '/admin-panel/questionnaires': 'adminQuestionnaires',
  '/admin-panel/questionnaires/bachelor': 'adminQuestionnaire',
  '/admin-panel/questionnaires/masters': 'adminQuestionnaire',
};

/** Whether it is a screen of the office, which has a stylesheet of its own. */
export function isOffice(route: RouteName): boolean {
  return route.startsWith('admin');
}
