import { createElement } from 'react';
import { matchRoutes, Outlet, useRouteLoaderData } from 'react-router';
import type { LoaderFunction, RouteObject, ShouldRevalidateFunction } from 'react-router';
import type { Page } from './api/page.gen';
import type { RouteName } from './api/routes';
import { RouteCrash } from './features/crash/route-crash';
import { Root, ROOT } from './root';
import { isOffice, layoutOf, screenOf } from './screens';

/**
 * Every path that the server serves, and the screen it most likely answers with. The answer itself is decisive and
 * names the screen of its page. `routes.test.ts` checks this table against those of the server.
 */
export const paths: Record<string, RouteName> = {
  '/': 'apply',
  '/bachelor': 'apply',
  '/bachelor/apply': 'apply',
  '/bachelor/application': 'application',
  '/bachelor/application/:section': 'application',
  '/bachelor/application/check': 'check',
  '/masters': 'apply',
  '/masters/apply': 'apply',
  '/masters/application': 'application',
  '/masters/application/:section': 'application',
  '/masters/application/check': 'check',
  '/reset-password': 'resetPassword',
  '/thankyou': 'thankYou',
  '/schedule': 'schedule',
  '/dashboard': 'dashboard',
  '/dashboard/letter': 'letter',
  '/dashboard/contract': 'contract',
  '/dashboard/funding': 'funding',
  '/dashboard/payments': 'payments',
  '/dashboard/documents': 'documents',
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
  '/confirm-email': 'confirmEmail',
  '/verify/:code': 'verify',
  '/mailbox': 'mailbox',
  '*': 'problem',
  '/admin-panel': 'adminApplications',
  '/admin-panel/login': 'adminLogin',
  '/admin-panel/forgot-password': 'adminForgotten',
  '/admin-panel/reset-password': 'adminForgotten',
  '/admin-panel/invitation': 'adminInvitation',
  '/admin-panel/step-up': 'adminStepUp',
  '/admin-panel/account': 'adminAccount',
  '/admin-panel/account/second-factor': 'adminSecondFactor',
  '/admin-panel/account/keys': 'adminApiKeys',
  '/admin-panel/account/passkeys': 'adminPasskeys',
  '/admin-panel/work': 'adminWork',
  '/admin-panel/applications': 'adminApplications',
  '/admin-panel/applications/figures': 'adminFigures',
  '/admin-panel/applications/mail': 'adminBulk',
  '/admin-panel/applications/ask': 'adminBulk',
  '/admin-panel/applications/draft': 'adminBulk',
  '/admin-panel/applications/:id': 'adminApplication',
  '/admin-panel/applications/:id/act': 'adminAct',
  '/admin-panel/applications/:id/enrolment': 'adminAct',
  '/admin-panel/applications/:id/duplicates': 'adminDuplicates',
  '/admin-panel/applications/:id/documents': 'adminDocuments',
  '/admin-panel/applications/:id/notes': 'adminNotes',
  '/admin-panel/committee': 'adminCommittee',
  '/admin-panel/committee/:id': 'adminSitting',
  '/admin-panel/applications/:id/readings': 'adminReadings',
  '/admin-panel/applications/:id/messages': 'adminConversation',
  '/admin-panel/applications/:id/emails': 'adminEmails',
  '/admin-panel/applications/:id/timeline': 'adminTimeline',
  '/admin-panel/applications/:id/decision': 'adminDecision',
  '/admin-panel/applications/:id/conditions': 'adminConditions',
  '/admin-panel/applications/:id/contract': 'adminContract',
  '/admin-panel/applications/:id/interview': 'adminInterview',
  '/admin-panel/applications/:id/funding': 'adminFunding',
  '/admin-panel/decisions': 'adminDecisions',
  '/admin-panel/interviews': 'adminInterviews',
  '/admin-panel/contracts': 'adminContracts',
  '/admin-panel/contracts/templates/:id': 'adminTemplate',
  '/admin-panel/finance': 'adminFinance',
  '/admin-panel/admins': 'adminAdmins',
  '/admin-panel/admins/:id': 'adminAdmin',
  '/admin-panel/questionnaires': 'adminQuestionnaires',
  '/admin-panel/questionnaires/:id': 'adminQuestionnaire',
  '/admin-panel/questionnaires/:id/preview': 'adminQuestionnairePreview',
  '/admin-panel/questionnaires/:id/publish': 'adminQuestionnairePublish',
  '/admin-panel/settings': 'adminSettings',
  '/admin-panel/settings/deliveries': 'adminDeliveries',
  '/admin-panel/settings/webhooks': 'adminWebhooks',
  '/admin-panel/settings/webhooks/:id': 'adminWebhook',
  '/admin-panel/settings/form-health': 'adminFormHealth',
  '/admin-panel/settings/audit': 'adminAudit',
  '/admin-panel/settings/mails': 'adminTexts',
  '/admin-panel/settings/letters': 'adminTexts',
  '/admin-panel/settings/:id': 'adminSetting',
  '/admin-panel/*': 'adminProblem',
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

const pathsWhere = (isWanted: (route: RouteName) => boolean): RouteObject[] =>
  Object.entries(paths)
    .filter(([, route]) => isWanted(route))
    .map(([path, route]) => ({ id: path, path, caseSensitive: true, Component: PageScreen, handle: route }));

/**
 * The routes of the product. Only the root has a loader, since all pages load the same way; on the server it has none,
 * as the page is already there. Errors are caught below the root, so that the document can still follow the next
 * navigation.
 */
export const routesWith = (loader?: LoaderFunction): RouteObject[] => [
  {
    id: ROOT,
    Component: Root,
    ErrorBoundary: RouteCrash,
    ...(loader ? { loader, shouldRevalidate } : {}),
    children: [
      {
        id: 'applicant',
        Component: LayoutRoute,
        ErrorBoundary: RouteCrash,
        children: pathsWhere((route) => !isOffice(route)),
      },
      { id: 'office', Component: LayoutRoute, ErrorBoundary: RouteCrash, children: pathsWhere(isOffice) },
    ],
  },
];

const table = routesWith();

/** Returns the screen that a path most likely leads to, for fetching its chunk early. */
export function expectedScreen(pathname: string): RouteName | undefined {
  const leaf = matchRoutes(table, pathname)?.at(-1)?.route;
  // A path that is not in the table may be a file.
  return leaf?.path?.endsWith('*') ? undefined : (leaf?.handle as RouteName | undefined);
}
