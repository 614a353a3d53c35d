import { createStaticRouter, StaticRouterProvider } from 'react-router';
import type { RouteObject, StaticHandlerContext } from 'react-router';
import type { Page } from '../client/api/page.gen';
import type { RouteName } from '../client/api/routes';
import { ROOT } from '../client/root';
import { routesWith } from '../client/routes';
import { isOffice, routeNames } from '../client/screens';

type Matches = StaticHandlerContext['matches'];

/** The way through the route table to a screen, and the same as what has been matched on it. */
interface Branch {
  routes: RouteObject[];
  matches: Matches;
}

/**
 * Rust has matched the path already, and the screen may be another than the path's own: the branch is that of the
 * screen. It is all that is given to the router, which goes through its whole table for each page.
 */
function branchOf(name: RouteName): Branch {
  const [root] = routesWith() as [RouteObject];
  const layout = root.children!.find(({ id }) => id === (isOffice(name) ? 'office' : 'applicant'))!;
  // Of those that no path leads to, the screen is shown where there is none.
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

/** A page as the browser's router will show it first. */
export function StaticPage({ page }: { page: Page }) {
  const { routes, matches } = branches.get(page.route)!;
  const [pathname = '/', search] = page.shared.path.split('?', 2);
  // What `query()` of a static handler gives, which would want Request, Headers and AbortController.
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
    // Asked for where there are no matches.
    _match: () => null,
  };
  return (
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />
  );
}
