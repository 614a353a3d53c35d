import { createElement } from 'react';
import { matchRoutes, Outlet, useRouteLoaderData } from 'react-router';
import type { LoaderFunction, RouteObject, ShouldRevalidateFunction } from 'react-router';
import type { Page } from './api/page.gen';
import type { RouteName } from './api/routes';
import { RouteCrash } from './features/crash/route-crash';
import { Root, ROOT } from './root';
import { layoutOf, screenOf } from './screens';

/** Paths that the server serves, and the screen that each most likely answers with. */
export type Paths = Record<string, RouteName>;

/**
 * Every path of applicants; those of the office are in its own module, which applicants do not load. The answer itself
 * is decisive and names the screen of its page. `routes.test.ts` checks both tables against those of the server.
 */
export const paths: Paths = {
  '/': 'apply',
  '/bachelor': 'apply',
  '/bachelor/apply': 'apply',
  '/bachelor/inquire': 'inquire',
  '/bachelor/application': 'application',
  '/bachelor/application/:section': 'application',
  '/bachelor/application/check': 'check',
  '/bachelor/application/fee': 'fee',
  '/masters': 'apply',
  '/masters/apply': 'apply',
  '/masters/inquire': 'inquire',
  '/masters/application': 'application',
  '/masters/application/:section': 'application',
  '/masters/application/check': 'check',
  '/masters/application/fee': 'fee',
  '/inquiries/confirm': 'confirmInquiry',
  '/unsubscribe': 'unsubscribe',
  '/open-days/booking': 'openDayBooking',
  '/open-days/:id': 'openDay',
  '/reference': 'reference',
  '/reset-password': 'resetPassword',
  '/thankyou': 'thankYou',
  '/schedule': 'schedule',
  '/dashboard': 'dashboard',
  '/dashboard/letter': 'letter',
  '/dashboard/contract': 'contract',
  '/dashboard/funding': 'funding',
  '/dashboard/payments': 'payments',
  '/dashboard/documents': 'documents',
  '/dashboard/references': 'references',
  '/dashboard/applications/:id': 'pastApplication',
  '/dashboard/messages': 'messages',
  '/dashboard/messages/:id': 'message',
  '/dashboard/account': 'account',
  '/dashboard/account/email': 'changeEmail',
  '/dashboard/account/close': 'closeAccount',
  '/dashboard/account/second-factor': 'secondFactor',
  '/dashboard/account/passkeys': 'passkeys',
  '/login/code': 'loginCode',
  '/login/passkey': 'loginPasskey',
  '/login/sign-on/callback': 'apply',
  '/login/sign-on/:id': 'apply',
  '/confirm-email': 'confirmEmail',
  '/verify/:code': 'verify',
  '/mailbox': 'mailbox',
  '*': 'problem',
};

const usePage = () => useRouteLoaderData(ROOT) as Page;

/** The layout around the screens of one side. It persists while they change. */
function LayoutRoute() {
  const page = usePage();
  const layout = layoutOf(page.route);
  if (!layout) return <Outlet />;
  const frame = screenOf(page.route).frame?.(page) ?? {};
  // oxlint-disable-next-line react/no-children-prop -- its type wants them among the props
  return createElement(layout, { page, frame, children: <Outlet /> });
}

/**
 * Renders a page on its screen. Another path resets the screen. Another query of the same path keeps its state, as do
 * the sections of an application, whose answers may not be saved yet.
 */
function PageScreen() {
  const page = usePage();
  const key = page.route === 'application' ? page.route : page.shared.path.split('?', 1)[0];
  return createElement(screenOf(page.route).default, { key, page });
}

/** Loads the page on every navigation, except one within the open page. */
const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname ||
  currentUrl.search !== nextUrl.search ||
  (defaultShouldRevalidate && currentUrl.hash === nextUrl.hash);

const routesOf = (table: Paths): RouteObject[] =>
  Object.entries(table).map(([path, route]) => ({
    id: path,
    path,
    caseSensitive: true,
    Component: PageScreen,
    handle: route,
  }));

/**
 * The routes of the product. Only the root has a loader, since all pages load the same way; on the server it has none,
 * as the page is already there. Errors are caught below the root, so that the document can still follow the next
 * navigation.
 */
export const routesWith = (officePaths: Paths, loader?: LoaderFunction): RouteObject[] => [
  {
    id: ROOT,
    Component: Root,
    ErrorBoundary: RouteCrash,
    ...(loader ? { loader, shouldRevalidate } : {}),
    children: [
      { id: 'applicant', Component: LayoutRoute, ErrorBoundary: RouteCrash, children: routesOf(paths) },
      { id: 'office', Component: LayoutRoute, ErrorBoundary: RouteCrash, children: routesOf(officePaths) },
    ],
  },
];

/** Returns the screen that a path most likely leads to, for fetching its chunk early. */
export function expectedScreen(routes: RouteObject[], pathname: string): RouteName | undefined {
  const leaf = matchRoutes(routes, pathname)?.at(-1)?.route;
  // A path that is not in the table may be a file.
  return leaf?.path?.endsWith('*') ? undefined : (leaf?.handle as RouteName | undefined);
}
