// Names of screens, and what each gets: read off the generated Page.

import type { Page } from './page.gen';

export type RouteName = Page['route'];

export type Routes = { [P in Page as P['route']]: P['props'] };

/** What a soft navigation (`Accept: application/json` on the page's own path) gets. */
export type NavigationAnswer = Page | { redirect: string };
