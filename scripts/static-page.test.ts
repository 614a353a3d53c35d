import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Page } from '../client/api/page.gen';
import { ROOT } from '../client/root';
import { routesWith } from '../client/routes';
import { loadAll, routeNames } from '../client/screens';
import { samplePages } from './samples.mjs';
import { ThemeRoot } from '../client/theme/theme-root';
import { StaticPage } from '../ssr/static-page';

beforeAll(() => Promise.all(routeNames.map(loadAll)));

// The context of the static router is made by hand, and so may become another with a version of it.
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
  // Ids too, which count the level that an element is at.
  expect(renderToString(h(ThemeRoot, null, h(StaticPage, { page })))).toBe(
    renderToString(h(ThemeRoot, null, inBrowser)),
  );
  expect(complaint).not.toHaveBeenCalled();
});
