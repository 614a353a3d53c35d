import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLoaderData, useLocation, useNavigation } from 'react-router';
import type { Location } from 'react-router';
import type { Page } from './api/page.gen';
import { LoadingScreen } from './ui/loading-screen';
import { reveal } from './ui/reveal';
import { WaitingBar } from './ui/waiting-bar';

/** The route that contains all others. Its data is the page. */
export const ROOT = 'root';

/** Milliseconds of waiting before the loading screen covers the old page. */
const LOADING_SCREEN_DELAY = 1000;
/** The same before the pointer shows that the page is loading. */
const POINTER_DELAY = 200;

/** Wraps every screen. Server and browser render exactly this, so that their ids agree. */
export function Root() {
  const page = useLoaderData<Page>();
  const { isWaiting, isLate } = useWaiting();
  return (
    <>
      <Outlet />
      {/* Comes before scrolling, which needs collapsed content to be open. */}
      <Arrival page={page} />
      {/* Writes to sessionStorage, which the crash screen clears. */}
      {page.route === 'crash' ? null : <ScrollRestoration getKey={scrollKey} />}
      {isWaiting ? <WaitingBar /> : null}
      {isLate ? <LoadingScreen /> : null}
    </>
  );
}

/** Whether a page is loading, and whether it has been for long. */
function useWaiting(): { isWaiting: boolean; isLate: boolean } {
  const { location } = useNavigation();
  const [late, setLate] = useState<Location>();
  useEffect(() => {
    if (!location) return undefined;
    const { dataset } = document.documentElement;
    // Every element inherits the pointer's shape from the root: a page that loads at once should not be restyled twice
    // for it.
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

/** Updates the document for the page that has just been shown. Another path starts at its heading. */
function Arrival({ page }: { page: Page }) {
  const { hash } = useLocation();
  const shown = useRef(page);
  useLayoutEffect(() => {
    const before = shown.current;
    if (before === page) return;
    shown.current = page;
    document.title = page.head.title;
    // A page built in the browser does not know what was chosen in the meantime.
    if (page.shared.theme !== before.shared.theme) document.documentElement.dataset.theme = page.shared.theme;
    if (pathOf(page) === pathOf(before) && !hash) return;
    // Our ids need no decoding.
    const anchor = hash ? document.getElementById(hash.slice(1)) : null;
    const focus = anchor ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
    if (focus) {
      // A heading. An input, which an address may name, is already focusable.
      if (focus.tabIndex < 0) focus.tabIndex = -1;
      reveal(focus);
      focus.focus({ preventScroll: true });
    }
    // Also if the link kept the scroll position, because a redirect has led to another path.
    if (!anchor) scrollTo(0, 0);
    announcer().textContent = page.head.title;
  }, [page, hash]);
  return null;
}

let anchors = 0;

/** Entries that the browser creates when jumping to an anchor have no key: they show their anchor again. */
const scrollKey = ({ key, hash }: Location) => (key === 'default' && hash ? `anchor ${(anchors += 1)}` : key);
