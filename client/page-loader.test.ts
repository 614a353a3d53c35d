import { createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Page } from './api/page.gen';
import type { NavigationAnswer, RouteName } from './api/routes';
import { offerPages } from './navigation';
import { pageLoader } from './page-loader';
import { ROOT } from './root';
import { expectedScreen, routesWith } from './routes';

const ORIGIN = 'http://localhost';

const pageOf = (route: RouteName, path: string, props: object = {}) =>
  ({
    route,
    status: 200,
    head: { title: path },
    shared: { path, language: 'en', theme: 'system' },
    props,
  }) as unknown as Page;

/** The server's answers, by path; everything else is a file. */
let answers: Record<string, NavigationAnswer>;
const asked = vi.fn<(path: string) => void>();

beforeEach(() => {
  asked.mockClear();
  answers = {};
  // A memory router does not change the document's address.
  vi.stubGlobal('location', { origin: ORIGIN, href: `${ORIGIN}/elsewhere` });
  vi.stubGlobal('fetch', (url: URL) => {
    const path = url.pathname + url.search;
    asked(path);
    if (path === '/away') return Promise.reject(new TypeError('no network'));
    const answer = answers[path];
    return Promise.resolve(answer ? Response.json(answer) : new Response('%PDF'));
  });
});
afterEach(() => vi.unstubAllGlobals());

const dashboard = pageOf('dashboard', '/dashboard');

function open() {
  const leave = vi.fn<(url: URL, isEntry: boolean) => void>();
  const current = () => router.state.loaderData[ROOT] as Page;
  const expected = (pathname: string) => expectedScreen(router.routes, pathname);
  const routes = routesWith({}, pageLoader({ office: false, current, expected, leave }));
  const router = createMemoryRouter(routes, {
    initialEntries: ['/dashboard'],
    hydrationData: { loaderData: { [ROOT]: dashboard } },
  });
  return {
    leave,
    router,
    shown: () => (router.state.loaderData[ROOT] as Page).shared.path,
    left: () => leave.mock.calls[0]?.[0].href,
  };
}

test('the page is what the server answers, also when it is for another screen', async () => {
  answers['/dashboard/letter'] = pageOf('problem', '/dashboard/letter');
  const { router, shown } = open();
  await router.navigate('/dashboard/letter');
  expect(shown()).toBe('/dashboard/letter');
  expect(router.state.matches.at(-1)?.route.id).toBe('/dashboard/letter');
});

test('redirects are followed, and what is at their end is asked for once', async () => {
  answers['/thankyou'] = { redirect: '/schedule' };
  answers['/schedule'] = { redirect: '/dashboard/messages?page=2' };
  answers['/dashboard/messages?page=2'] = pageOf('messages', '/dashboard/messages?page=2');
  const { router, shown } = open();
  await router.navigate('/thankyou');
  expect(shown()).toBe('/dashboard/messages?page=2');
  expect(router.state.location).toMatchObject({ pathname: '/dashboard/messages', search: '?page=2' });
  expect(asked.mock.calls.flat()).toEqual(['/thankyou', '/schedule', '/dashboard/messages?page=2']);
  // The result is not kept.
  await router.navigate('/dashboard/messages?page=2');
  expect(asked).toHaveBeenCalledTimes(4);
});

test('redirects in a circle are left to the browser', async () => {
  answers['/schedule'] = { redirect: '/schedule' };
  const { router, left } = open();
  void router.navigate('/schedule');
  await vi.waitFor(() => expect(left()).toBe(`${ORIGIN}/schedule`));
  expect(asked).toHaveBeenCalledTimes(6);
});

const elsewhere = { redirect: 'https://example.org/pay' };
const spanish = pageOf('messages', '/dashboard/messages');
spanish.shared.language = 'es';

test.each<[string, NavigationAnswer | undefined, string]>([
  ['a file', undefined, '/dashboard/messages#end'],
  ['a page of the office', pageOf('adminLogin', '/admin-panel/login'), '/dashboard/messages#end'],
  ['another language', spanish, '/dashboard/messages#end'],
  [
    'payments with cards',
    pageOf('payments', '/dashboard/payments', { cards: {} }),
    '/dashboard/messages#end',
  ],
  [
    'a fee with cards',
    pageOf('fee', '/bachelor/application/fee', { provider: 'Stripe' }),
    '/dashboard/messages#end',
  ],
  ['another origin', elsewhere, 'https://example.org/pay'],
])('%s is left to a document', async (_, answer, address) => {
  if (answer) answers['/dashboard/messages'] = answer;
  const { router, left, shown } = open();
  void router.navigate('/dashboard/messages#end');
  await vi.waitFor(() => expect(left()).toBe(new URL(address, ORIGIN).href));
  expect(shown()).toBe('/dashboard');
});

test('the open screen makes its own pages, some only while the server is away', async () => {
  const thanks = pageOf('thankYou', '/thankyou');
  const stops = [
    offerPages(dashboard, (url) => (url.pathname === '/thankyou' ? thanks : undefined)),
    offerPages(thanks, (url, isAway) => (isAway ? pageOf('thankYou', url.pathname) : undefined)),
  ];
  const { router, shown, left } = open();
  await router.navigate('/thankyou');
  expect([shown(), asked.mock.calls.length]).toEqual(['/thankyou', 0]);
  await router.navigate('/away');
  expect(shown()).toBe('/away');
  for (const stop of stops) stop();
  void router.navigate('/away?again');
  void router.navigate('/away');
  await vi.waitFor(() => expect(left()).toBe(`${ORIGIN}/away`));
});

test('a screen that the router has left makes no page any more, although it still shows', async () => {
  answers['/dashboard/messages'] = pageOf('messages', '/dashboard/messages');
  answers['/dashboard'] = pageOf('dashboard', '/dashboard');
  const stop = offerPages(dashboard, (url) =>
    url.pathname === '/dashboard' ? pageOf('dashboard', '/stale') : undefined,
  );
  const { router, shown } = open();
  await router.navigate('/dashboard/messages');
  await router.navigate(-1);
  await vi.waitFor(() => expect(shown()).toBe('/dashboard'));
  stop();
});

test('an anchor of the open page asks for nothing, the same link again asks anew', async () => {
  answers['/dashboard'] = pageOf('dashboard', '/dashboard');
  const { router } = open();
  await router.navigate('/dashboard#next');
  await router.navigate(-1);
  await vi.waitFor(() => expect(router.state.location.hash).toBe(''));
  expect(asked).not.toHaveBeenCalled();
  await router.navigate('/dashboard');
  expect(asked).toHaveBeenCalledTimes(1);
});
