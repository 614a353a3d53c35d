import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { NavigationAnswer, Page, RouteName } from './api/page';
import { guessRoute, isOffice, load } from './routes';
import { reveal } from './ui/reveal';

export interface NavigateOptions {
  /** Takes the place of the current history entry. */
  replace?: boolean;
}

/** Longest chain of redirects that is followed before the browser is left to find the loop itself. */
const REDIRECT_LIMIT = 5;
/** Milliseconds of waiting after which the Loading screen covers the old page. */
const LOADING_SCREEN_DELAY = 1000;

/** What a finished navigation shows. */
interface Arrival {
  page: Page;
  /** Where to scroll, in pixels from the top; null leaves scroll and focus to the page. */
  scroll: number | null;
  hash: string;
}

/** What the mounted root offers; undefined on the server and before hydration. */
interface Screen {
  arrive: (arrival: Arrival) => void;
  setWaiting: (isWaiting: boolean) => void;
}

/**
 * A page that the open screen can make by itself, from what it knows. `isAway` asks for what would do as long as the
 * server cannot be reached.
 */
export type OwnPages = (url: URL, isAway: boolean) => Page | undefined;

let screen: Screen | undefined;
let ownPages: OwnPages | undefined;
let underway: AbortController | undefined;

/** The key of the current history entry, and how far each entry was scrolled when it was left. */
let entryKey = '';
const scrolls = new Map<string, number>();
let shown: URL;
/** The screen that is open. */
let open: RouteName;

/**
 * Goes to a path of ours without loading a new document. Falls back to a full load whenever the answer is
 * not a page: another origin, a file, an error of the network, a build that is no longer served.
 * Settles when the page is shown, or when a newer navigation has taken over.
 */
export async function navigate(href: string, { replace = false }: NavigateOptions = {}): Promise<void> {
  const target = new URL(href, location.href);
  if (!screen || target.origin !== location.origin) {
    fullLoad(target, replace);
    return;
  }
  await go(target, (final) => {
    scrolls.set(entryKey, scrollY);
    entryKey = crypto.randomUUID();
    history[replace ? 'replaceState' : 'pushState']({ key: entryKey }, '', final);
    return final.pathname === shown.pathname && !final.hash ? null : 0;
  });
}

/** Lets the open screen make pages of its own, until the function that is returned is called. */
export function offerPages(pages: OwnPages): () => void {
  ownPages = pages;
  return () => {
    if (ownPages === pages) ownPages = undefined;
  };
}

/** Finds the page at `target`, lets `commit` move the history and say where to scroll, and shows it. */
async function go(target: URL, commit: (final: URL) => number | null): Promise<void> {
  underway?.abort();
  const controller = new AbortController();
  underway = controller;
  const { dataset } = document.documentElement;
  dataset.loading = '';
  const slow = setTimeout(() => screen?.setWaiting(true), LOADING_SCREEN_DELAY);
  try {
    const found = await findPage(target, controller.signal);
    if (controller.signal.aborted) return;
    if ('leave' in found) {
      fullLoad(found.leave, false);
      return;
    }
    const scroll = commit(found.url);
    shown = found.url;
    screen?.arrive({ page: found.page, scroll, hash: found.url.hash });
  } catch {
    if (!controller.signal.aborted) fullLoad(target, false);
  } finally {
    clearTimeout(slow);
    if (underway === controller) {
      underway = undefined;
      screen?.setWaiting(false);
      delete dataset.loading;
    }
  }
}

/** The page at an address: of the open screen, else of the server. */
async function findPage(
  target: URL,
  signal: AbortSignal,
): Promise<{ url: URL; page: Page } | { leave: URL }> {
  const own = ownPages?.(target, false);
  if (own) return { url: target, page: own };
  try {
    return await fetchPage(target, signal);
  } catch (error) {
    const page = signal.aborted ? undefined : ownPages?.(target, true);
    if (!page) throw error;
    return { url: target, page };
  }
}

/** The page at an address after its redirects, or the address that needs a document of its own. */
async function fetchPage(from: URL, signal: AbortSignal): Promise<{ url: URL; page: Page } | { leave: URL }> {
  let url = from;
  for (let hop = 0; hop <= REDIRECT_LIMIT; hop++) {
    const response = await fetch(url, { headers: { Accept: 'application/json' }, signal });
    const type = response.headers.get('Content-Type') ?? '';
    if (!type.startsWith('application/json')) return { leave: url };
    const answer = (await response.json()) as NavigationAnswer;
    if (!('redirect' in answer)) {
      // The office has a stylesheet of its own, which comes with a document.
      if (isOffice(answer.route) !== isOffice(open)) return { leave: url };
      // Forms of this page lead to the provider of card payments, which its policy allows: that comes with a document.
      if (answer.route === 'payments' && answer.props.cards) return { leave: url };
      // Another language was chosen meanwhile: it has scripts of its own.
      if (answer.shared.language !== LANGUAGE) return { leave: url };
      await load(answer.route);
      return { url, page: answer };
    }
    url = new URL(answer.redirect, url);
    if (url.origin !== location.origin) return { leave: url };
  }
  return { leave: url };
}

function fullLoad(target: URL, replace: boolean) {
  if (replace) location.replace(target);
  else location.assign(target);
}

/** The address a click leads to, when it is a plain click on a plain link to a page of ours. */
function clickedLink(event: MouseEvent): URL | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = linkAround(event.target);
  if (!link) return undefined;
  const url = new URL(link.href);
  // The browser itself moves within a document.
  if (url.hash && url.pathname === shown.pathname && url.search === shown.search) return undefined;
  return url;
}

/** The link of ours around an element, unless it asks for a document, a download or a window of its own. */
function linkAround(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.origin !== location.origin) return undefined;
  if (link.hasAttribute('download') || link.dataset.document !== undefined) return undefined;
  return link.target === '' || link.target === '_self' ? link : undefined;
}

function onClick(event: MouseEvent) {
  const url = clickedLink(event);
  if (!url) return;
  event.preventDefault();
  void navigate(url.href, { replace: url.href === shown.href });
}

function onPopState(event: PopStateEvent) {
  scrolls.set(entryKey, scrollY);
  const state = event.state as { key?: string } | null;
  entryKey = state?.key ?? '';
  const scroll = scrolls.get(entryKey) ?? 0;
  const url = new URL(location.href);
  if (url.pathname === shown.pathname && url.search === shown.search) {
    underway?.abort();
    if (!url.hash) scrollTo(0, scroll);
    return;
  }
  void go(url, (final) => {
    if (final.href !== url.href) history.replaceState({ key: entryKey }, '', final);
    return scroll;
  });
}

/** Fetches the chunk of the screen behind a link that is about to be used. */
function onHint(event: Event) {
  const link = linkAround(event.target);
  const route = link && guessRoute(link.pathname);
  // The click tells when it fails.
  if (route) load(route).catch(() => undefined);
}

function listen(): () => void {
  const restoreByUs = () => (history.scrollRestoration = 'manual');
  const restoreByBrowser = () => (history.scrollRestoration = 'auto');
  restoreByUs();
  document.addEventListener('click', onClick);
  document.addEventListener('pointerover', onHint);
  document.addEventListener('focusin', onHint);
  addEventListener('popstate', onPopState);
  addEventListener('pageshow', restoreByUs);
  addEventListener('pagehide', restoreByBrowser);
  return () => {
    document.removeEventListener('click', onClick);
    document.removeEventListener('pointerover', onHint);
    document.removeEventListener('focusin', onHint);
    removeEventListener('popstate', onPopState);
    removeEventListener('pageshow', restoreByUs);
    removeEventListener('pagehide', restoreByBrowser);
    restoreByBrowser();
  };
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

/** Brings the document in line with the page that has just been shown. */
function settle({ page, scroll, hash }: Arrival) {
  document.title = page.head.title;
  document.documentElement.dataset.theme = page.shared.theme;
  if (scroll === null) return;
  // The ids of ours need no decoding.
  const anchor = hash ? document.getElementById(hash.slice(1)) : null;
  const focus = anchor ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (focus) {
    // A heading; an input, which an address may name, can be reached already.
    if (focus.tabIndex < 0) focus.tabIndex = -1;
    reveal(focus);
    focus.focus({ preventScroll: true });
  }
  if (anchor) anchor.scrollIntoView();
  else scrollTo(0, scroll);
  announcer().textContent = page.head.title;
}

interface NavigationRootProps {
  initial: Page;
  /** Renders the page that is open; `isWaiting` once another has been on its way for long. */
  children: (page: Page, isWaiting: boolean) => ReactNode;
}

/** Holds the page that is open, and listens for links and the browser's history. */
export function NavigationRoot({ initial, children }: NavigationRootProps) {
  const [page, setPage] = useState(initial);
  const [isWaiting, setWaiting] = useState(false);
  const arrival = useRef<Arrival>(null);

  useLayoutEffect(() => {
    shown = new URL(location.href);
    entryKey = (history.state as { key?: string } | null)?.key ?? '';
    screen = {
      arrive(next) {
        arrival.current = next;
        setPage(next.page);
      },
      setWaiting,
    };
    const stop = listen();
    return () => {
      stop();
      screen = undefined;
    };
  }, []);

  useLayoutEffect(() => {
    open = page.route;
    if (arrival.current?.page !== page) return;
    settle(arrival.current);
    arrival.current = null;
  }, [page]);

  return children(page, isWaiting);
}
