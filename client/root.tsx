import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLoaderData, useLocation, useNavigation } from 'react-router';
import type { Location } from 'react-router';
import type { Page } from './api/page.gen';
import { LoadingScreen } from './ui/loading-screen';
import { reveal } from './ui/reveal';
import { WaitingBar } from './ui/waiting-bar';

/** The route that all others are in. Its data is the page. */
export const ROOT = 'root';

/** Milliseconds of waiting after which the Loading screen covers the old page. */
const LOADING_SCREEN_DELAY = 1000;
/** The same, after which the pointer says so. */
const POINTER_DELAY = 200;

/** What surrounds every screen. Server and browser render exactly this, so that their ids agree. */
export function Root() {
  const page = useLoaderData<Page>();
  const { isWaiting, isLate } = useWaiting();
  return (
    <>
      <Outlet />
      {/* Before the scrolling, which needs to find what is folded opened. */}
      <Arrival page={page} />
      {/* It writes to the session's storage, which the crash screen empties. */}
      {page.route === 'crash' ? null : <ScrollRestoration getKey={scrollKey} />}
      {isWaiting ? <WaitingBar /> : null}
      {isLate ? <LoadingScreen /> : null}
    </>
  );
}

/** Whether a page is on its way, and has been for long. */
function useWaiting(): { isWaiting: boolean; isLate: boolean } {
  const { location } = useNavigation();
  const [late, setLate] = useState<Location>();
  useEffect(() => {
    if (!location) return undefined;
    const { dataset } = document.documentElement;
    // Every element takes the pointer's shape from the root: a page that is there at once need not be styled twice for it.
    const waiting = setTimeout(() => (dataset.loading = ''), POINTER_DELAY);
    const slow = setTimeout(setLate, LOADING_SCREEN_DELAY, location);
    return () => {
      clearTimeout(waiting);
      clearTimeout(slow);
      delete dataset.loading;
    };
  }, [location]);
  return { isWaiting: location !== undefined, isLate: location !== undefined && late === location };
}

const announcer = () => {
  const existing = document.getElementById('announcer');
  if (existing) return existing;
  const element = document.createElement('div');
  element.id = 'announcer';
  element.className = 'visually-hidden';
  element.setAttribute('aria-live', 'polite');
  document.body.append(element);
  return element;
};

const pathOf = (page: Page) => page.shared.path.split('?', 1)[0];

/** Brings the document in line with the page that has just been shown. Another path begins at its heading. */
function Arrival({ page }: { page: Page }) {
  const { hash } = useLocation();
  const shown = useRef(page);
  useLayoutEffect(() => {
    const before = shown.current;
    if (before === page) return;
    shown.current = page;
    document.title = page.head.title;
    // A page that is made here does not know what was chosen meanwhile.
    if (page.shared.theme !== before.shared.theme) document.documentElement.dataset.theme = page.shared.theme;
    if (pathOf(page) === pathOf(before) && !hash) return;
    // The ids of ours need no decoding.
    const anchor = hash ? document.getElementById(hash.slice(1)) : null;
    const focus = anchor ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
    if (focus) {
      // A heading; an input, which an address may name, can be reached already.
      if (focus.tabIndex < 0) focus.tabIndex = -1;
      reveal(focus);
      focus.focus({ preventScroll: true });
    }
    // Also where the link kept the scroll, because a redirect has led to another path.
    if (!anchor) scrollTo(0, 0);
    announcer().textContent = page.head.title;
  }, [page, hash]);
  return null;
}

let anchors = 0;

/** Entries that the browser has made on its way to an anchor have no key: they show their anchor again. */
const scrollKey = ({ key, hash }: Location) => (key === 'default' && hash ? `anchor ${(anchors += 1)}` : key);
