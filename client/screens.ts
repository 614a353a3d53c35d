import type { ComponentType } from 'react';
import type { Page } from './api/page.gen';
import type { RouteName } from './api/routes';
import { SectionForm, SentApplication } from './features/application/parts';
import { LoginDialog } from './features/auth/login-dialog';

type Screen<R extends RouteName> = ComponentType<{ page: Extract<Page, { route: R }> }>;

/** The screen of every route of the server. In the browser each is a chunk of its own. */
const screens: { [R in RouteName]: () => Promise<{ default: Screen<R> }> } = {
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

interface PartOf<P> {
  part: { load: () => Promise<void> };
  isOn: (page: P) => boolean;
}

/** What a screen shows on some of its pages only. */
const parts: { [R in RouteName]?: PartOf<Extract<Page, { route: R }>>[] } = {
  application: [
    { part: SectionForm, isOn: ({ props }) => props.section !== null && props.sent === null },
    { part: SentApplication, isOn: ({ props }) => props.sent !== null },
    { part: LoginDialog, isOn: ({ props }) => props.dialog !== null },
  ],
};

/** The parts of a page, or of all pages of a route. */
function partsOf(route: RouteName, page: Page | undefined) {
  // A page and the parts of its route belong together, which the type cannot say.
  const all = (parts[route] ?? []) as PartOf<Page>[];
  return page ? all.filter(({ isOn }) => isOn(page)) : all;
}

export const routeNames = Object.keys(screens) as RouteName[];

const loaded = new Map<RouteName, ComponentType<{ page: Page }>>();

async function loadScreen(route: RouteName): Promise<void> {
  if (loaded.has(route)) return;
  const module = await screens[route]();
  // A page and the screen of its route belong together, which the map's type cannot say.
  loaded.set(route, module.default as ComponentType<{ page: Page }>);
}

/** Makes a page's screen ready, so that rendering it never waits. Rejects when a chunk cannot be fetched. */
export async function load(page: Page): Promise<void> {
  await Promise.all([loadScreen(page.route), ...partsOf(page.route, page).map(({ part }) => part.load())]);
}

/** Makes every page of a route ready, before it is known. */
export async function loadAll(route: RouteName): Promise<void> {
  await Promise.all([loadScreen(route), ...partsOf(route, undefined).map(({ part }) => part.load())]);
}

/** The screen of a route that was loaded before. */
export function screenOf(route: RouteName): ComponentType<{ page: Page }> {
  const screen = loaded.get(route);
  if (!screen) throw new Error(`The screen of ${route} is not loaded`);
  return screen;
}

/** Whether it is a screen of the office, which has a stylesheet of its own. */
export function isOffice(route: RouteName): boolean {
  return route.startsWith('admin');
}
