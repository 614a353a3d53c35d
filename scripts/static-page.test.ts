import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Page } from '../client/api/page.gen';
import { ROOT } from '../client/root';
import { routesWith } from '../client/routes';
import { routeNames } from '../client/all-screens';
import { loadAll } from '../client/screens';
import { samplePages } from './samples.mjs';
import { ThemeRoot } from '../client/theme/theme-root';
import { StaticPage } from '../ssr/static-page';

beforeAll(() => Promise.all(routeNames.map(loadAll)));

// The static router's context is built by hand, so another version of it may need a different one.
test.each(
  (samplePages() as Page[]).map(
    (page) => [`${page.route} for ${page.shared.viewer ? 'somebody' : 'anybody'}`, page] as const,
  ),
)('the static router shows %s as that of the browser begins with', (_, page) => {
  const complaint = vi.spyOn(console, 'error');
  const routes = routesWith(() => page);
  const router = createMemoryRouter(routes, {
    initialEntries: [page.shared.path],
    hydrationData: { loaderData: { [ROOT]: page } },
  });
  const inBrowser = h(RouterProvider, { router, useTransitions: false });
  // Includes ids, which depend on an element's level.
  expect(renderToString(h(ThemeRoot, null, h(StaticPage, { page })))).toBe(
    renderToString(h(ThemeRoot, null, inBrowser)),
  );
  expect(complaint).not.toHaveBeenCalled();
});
