import { createStaticRouter, StaticRouterProvider } from 'react-router';
import type { RouteObject, StaticHandlerContext } from 'react-router';
import { routeNames } from '../client/all-screens';
import type { Page } from '../client/api/page.gen';
import type { RouteName } from '../client/api/routes';
import { officePaths } from '../client/office-screens';
import { ROOT } from '../client/root';
import { routesWith } from '../client/routes';
import { isOffice } from '../client/screens';

type Matches = StaticHandlerContext['matches'];

/** The path through the route table to a screen, and the corresponding matches. */
interface Branch {
  routes: RouteObject[];
  matches: Matches;
}

/**
 * Returns the branch of a screen. Rust has already matched the path, and the screen may differ from the path's own. The
 * router gets nothing else, since it walks its whole table for each page.
 */
function branchOf(name: RouteName): Branch {
  const [root] = routesWith(officePaths) as [RouteObject];
  const layout = root.children!.find(({ id }) => id === (isOffice(name) ? 'office' : 'applicant'))!;
  // Screens without a path are shown on the wildcard route.
  const isFor = ({ path, handle }: RouteObject) => handle === name || path?.endsWith('*');
  const leaf = layout.children!.find(isFor)!;
  const inLayout: RouteObject = { ...layout, children: [leaf] } as RouteObject;
  const inRoot: RouteObject = { ...root, children: [inLayout] } as RouteObject;
  const matches = [inRoot, inLayout, leaf].map((route) => ({
    route,
    params: {},
    pathname: '/',
    pathnameBase: '/',
  }));
  return { routes: [inRoot], matches: matches as Matches };
}

const branches = new Map(routeNames.map((name) => [name, branchOf(name)]));

/** A page as the browser's router will first show it. */
export function StaticPage({ page }: { page: Page }) {
  const { routes, matches } = branches.get(page.route)!;
  const [pathname = '/', search] = page.shared.path.split('?', 2);
  // What `query()` of a static handler returns, which would need Request, Headers and AbortController.
  const context: StaticHandlerContext & { _match: () => null } = {
    basename: '/',
    location: {
      pathname,
      search: search ? `?${search}` : '',
      hash: '',
      state: null,
      key: 'default',
      mask: undefined,
    },
    matches,
    loaderData: { [ROOT]: page },
    actionData: null,
    errors: null,
    statusCode: page.status,
    loaderHeaders: {},
    actionHeaders: {},
    // Called if there are no matches.
    _match: () => null,
  };
  return (
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />
  );
}
