// Names of screens and the props of each, derived from the generated Page.

import type { Page } from './page.gen';

export type RouteName = Page['route'];

export type Routes = { [P in Page as P['route']]: P['props'] };

/** The answer to a soft navigation (`Accept: application/json` on the page's own path). */
export type NavigationAnswer = Page | { redirect: string };
