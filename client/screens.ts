import type { ComponentType } from 'react';
import type { Page } from './api/page.gen';
import type { RouteName } from './api/routes';
import { SectionForm, SentApplication } from './features/application/parts';
import { LoginDialog } from './features/auth/login-dialog';
import type { Frame, LayoutProps } from './ui/layout';

/** The module of a screen, for pages of type `P`. */
interface Screen<P> {
  default: ComponentType<{ page: P }>;
  /** What the page asks of its layout. */
  frame?: (page: P) => Frame;
}

export type OfficeRouteName = Extract<RouteName, `admin${string}`>;

/** The screen of each route. In the browser each is its own chunk. */
export type Screens<Name extends RouteName> = {
  [R in Name]: () => Promise<Screen<Extract<Page, { route: R }>>>;
};

/** Those of applicants; the office's are loaded along with its layout. */
export const applicantScreens: Screens<Exclude<RouteName, OfficeRouteName>> = {
  apply: () => import('./routes/apply'),
  inquire: () => import('./routes/inquire'),
  confirmInquiry: () => import('./routes/confirm-inquiry'),
  unsubscribe: () => import('./routes/unsubscribe'),
  openDay: () => import('./routes/open-day'),
  openDayBooking: () => import('./routes/open-day-booking'),
  reference: () => import('./routes/reference'),
  application: () => import('./routes/application'),
  check: () => import('./routes/check'),
  fee: () => import('./routes/fee'),
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
  references: () => import('./routes/references'),
  changeEmail: () => import('./routes/change-email'),
  confirmEmail: () => import('./routes/confirm-email'),
  closeAccount: () => import('./routes/close-account'),
  secondFactor: () => import('./routes/second-factor'),
  recoveryCodes: () => import('./routes/recovery-codes'),
  loginCode: () => import('./routes/login-code'),
  loginPasskey: () => import('./routes/login-passkey'),
  passkeys: () => import('./routes/passkeys'),
  messages: () => import('./routes/messages'),
  message: () => import('./routes/message'),
  mailbox: () => import('./routes/mailbox'),
  problem: () => import('./routes/problem'),
  crash: () => import('./routes/crash'),
};

type Side = 'applicant' | 'office';

/** The layout of each side, also its own chunk. The office's comes with its screens and paths. */
const layouts = {
  applicant: () => import('./applicant'),
  office: () => import('./office'),
};

/** Returns the side of a screen. The crash screen replaces everything, so it has none. */
function sideOf(route: RouteName): Side | undefined {
  if (route === 'crash') return undefined;
  return isOffice(route) ? 'office' : 'applicant';
}

interface PartOf<P> {
  part: { load: () => Promise<void> };
  isOn: (page: P) => boolean;
  /** Whether pages that the screen builds itself show this part, even when nothing can be fetched. */
  early?: boolean;
}

/**
 * Parts that a screen shows on only some of its pages. `Screen::parts` on the server has the same list, to name their
 * chunks in the head of documents.
 */
const parts: { [R in RouteName]?: PartOf<Extract<Page, { route: R }>>[] } = {
  application: [
    { part: SectionForm, isOn: ({ props }) => props.section !== null && props.sent === null, early: true },
    { part: SentApplication, isOn: ({ props }) => props.sent !== null },
    { part: LoginDialog, isOn: ({ props }) => props.dialog !== null },
  ],
};

// A page matches the parts of its route, which the type cannot express.
const partsOf = (route: RouteName) => (parts[route] ?? []) as PartOf<Page>[];

const loaded = new Map<RouteName, Screen<Page>>();
const loadedLayouts = new Map<Side, ComponentType<LayoutProps>>();

async function screenModule(route: RouteName): Promise<unknown> {
  if (!isOffice(route)) return applicantScreens[route]();
  const { officeScreens } = await layouts.office();
  return officeScreens[route]();
}

async function loadScreen(route: RouteName): Promise<void> {
  if (loaded.has(route)) return;
  // A page matches the screen of its route, which the map's type cannot express.
  loaded.set(route, (await screenModule(route)) as Screen<Page>);
}

async function loadLayout(route: RouteName): Promise<void> {
  const side = sideOf(route);
  if (side && !loadedLayouts.has(side)) loadedLayouts.set(side, (await layouts[side]()).default);
}

async function loadWith(route: RouteName, isWanted: (part: PartOf<Page>) => boolean): Promise<void> {
  const wanted = partsOf(route).filter(isWanted);
  await Promise.all([loadScreen(route), loadLayout(route), ...wanted.map(({ part }) => part.load())]);
}

/** Loads a page's screen, so that rendering never waits for it. Rejects if a chunk cannot be fetched. */
export const load = (page: Page): Promise<void> => loadWith(page.route, ({ isOn }) => isOn(page));

/** Loads what any page of a route needs, before the page is known. */
export const loadAll = (route: RouteName): Promise<void> => loadWith(route, () => true);

/** Loads what most pages of a route need, and what its screen needs for pages it builds itself. */
export const loadEarly = (route: RouteName): Promise<void> => loadWith(route, ({ early }) => early === true);

/** Returns the screen of a route, which must already be loaded. */
export function screenOf(route: RouteName): Screen<Page> {
  const screen = loaded.get(route);
  if (!screen) throw new Error(`The screen of ${route} is not loaded`);
  return screen;
}

/** Returns the layout of a route's screen, which is loaded together with it. */
export function layoutOf(route: RouteName): ComponentType<LayoutProps> | undefined {
  const side = sideOf(route);
  return side && loadedLayouts.get(side);
}

/** Whether it is a staff screen. The office has its own stylesheet. */
export function isOffice(route: RouteName): route is OfficeRouteName {
  return route.startsWith('admin');
}
