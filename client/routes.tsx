import type { ComponentType } from 'react';
import type { Page, RouteName } from './api/page';

type Screen<R extends RouteName> = ComponentType<{ page: Extract<Page, { route: R }> }>;

/** The route table: the screen of every route. In the browser each is a chunk of its own. */
const table: { [R in RouteName]: () => Promise<{ default: Screen<R> }> } = {
  apply: () => import('./routes/apply'),
  application: () => import('./routes/application'),
  check: () => import('./routes/check'),
  thankYou: () => import('./routes/thank-you'),
  resetPassword: () => import('./routes/reset-password'),
  dashboard: () => import('./routes/dashboard'),
  account: () => import('./routes/account'),
  adminLogin: () => import('./routes/admin-login'),
  mailbox: () => import('./routes/mailbox'),
  problem: () => import('./routes/problem'),
  crash: () => import('./routes/crash'),
};

export const routeNames = Object.keys(table) as RouteName[];

const loaded = new Map<RouteName, ComponentType<{ page: Page }>>();

/** Makes a route's screen ready, so that rendering it never waits. Rejects when its chunk cannot be fetched. */
export async function load(route: RouteName): Promise<void> {
  if (loaded.has(route)) return;
  const module = await table[route]();
  // A page and the screen of its route belong together, which the map's type cannot say.
  loaded.set(route, module.default as ComponentType<{ page: Page }>);
}

/** The screen of a route that was loaded before. */
export function screenOf(route: RouteName): ComponentType<{ page: Page }> {
  const screen = loaded.get(route);
  if (!screen) throw new Error(`The screen of ${route} is not loaded`);
  return screen;
}

/** Which route a path most likely leads to, to fetch its chunk early; the server has the last word. */
export function guessRoute(path: string): RouteName | undefined {
  if (/^\/(bachelor|masters)\/apply$/.test(path)) return 'apply';
  if (/^\/(bachelor|masters)\/application$/.test(path)) return 'application';
  if (/^\/(bachelor|masters)\/application\/check$/.test(path)) return 'check';
  return guesses[path];
}

const guesses: Record<string, RouteName> = {
  '/': 'apply',
  '/bachelor': 'apply',
  '/masters': 'apply',
  '/reset-password': 'resetPassword',
  '/thankyou': 'thankYou',
  '/dashboard': 'dashboard',
  '/dashboard/account': 'account',
  '/admin-panel/login': 'adminLogin',
};
