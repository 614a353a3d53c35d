import { redirect, replace } from 'react-router';
import type { LoaderFunction } from 'react-router';
import type { Page } from './api/page.gen';
import type { NavigationAnswer, RouteName } from './api/routes';
import { ownPage } from './navigation';
import { isOffice, load, loadEarly } from './screens';

/** Longest chain of redirects that is followed before leaving it to the browser to detect the loop. */
const REDIRECT_LIMIT = 5;

/** A page and its address after redirects, or an address that needs a full document. */
type Found = { url: URL; page: Page } | { leave: URL };

interface Options {
  /** Whether the document belongs to the office, which has its own stylesheet. */
  office: boolean;
  /** Returns the page that the router is at. */
  current: () => Page;
  /** Returns the screen that a path most likely leads to. */
  expected: (pathname: string) => RouteName | undefined;
  /** Loads a document instead of a page; `isEntry` if the history is already at the address. */
  leave: (url: URL, isEntry: boolean) => void;
}

/** The only loader: gets the page at an address from the open screen, otherwise from the server. */
export function pageLoader({ office, current, expected, leave }: Options): LoaderFunction {
  /** The page at the end of a chain of redirects, for the navigation that the last redirect starts. */
  let fetched: { href: string; page: Page } | undefined;

  async function fetchPage(from: URL, signal: AbortSignal): Promise<Found> {
    let url = from;
    for (let hop = 0; hop <= REDIRECT_LIMIT; hop++) {
      const response = await fetch(url, { headers: { Accept: 'application/json' }, signal });
      const type = response.headers.get('Content-Type') ?? '';
      if (!type.startsWith('application/json')) return { leave: url };
      const answer = (await response.json()) as NavigationAnswer;
      if (!('redirect' in answer)) {
        if (isOffice(answer.route) !== office) return { leave: url };
        // Forms of these pages lead to the card payment provider. The policy that allows it comes with a document.
        if (answer.route === 'payments' && answer.props.cards) return { leave: url };
        if (answer.route === 'fee' && answer.props.provider) return { leave: url };
        // Another language was chosen in the meantime: it has its own scripts.
        if (answer.shared.language !== LANGUAGE) return { leave: url };
        await load(answer);
        return { url, page: answer };
      }
      url = new URL(answer.redirect, url);
      if (url.origin !== location.origin) return { leave: url };
    }
    return { leave: url };
  }

  async function findPage(target: URL, signal: AbortSignal): Promise<Found> {
    const own = ownPage(current(), target, false);
    if (own)
      return load(own).then(
        () => ({ url: target, page: own }),
        () => ({ leave: target }),
      );
    const screen = expected(target.pathname);
    // The answer shows whether it was the right one and could be fetched.
    if (screen) loadEarly(screen).catch(() => undefined);
    try {
      return await fetchPage(target, signal);
    } catch {
      const page = signal.aborted ? undefined : ownPage(current(), target, true);
      return page ? { url: target, page } : { leave: target };
    }
  }

  return async ({ request, url: { hash } }) => {
    const known = fetched;
    fetched = undefined;
    if (known?.href === request.url) return known.page;

    const target = new URL(request.url);
    target.hash = hash;
    const found = await findPage(target, request.signal);
    // A newer navigation has taken over; this result is no longer needed.
    if (request.signal.aborted) return undefined;
    // True for Back and Forward, and for a link to the open page itself.
    const isEntry = location.href === target.href;
    if ('leave' in found) {
      leave(found.leave, isEntry);
      return new Promise(() => {});
    }
    const { url, page } = found;
    if (url.href === target.href) return page;
    const path = url.pathname + url.search;
    fetched = { href: location.origin + path, page };
    throw (isEntry ? replace : redirect)(path + url.hash);
  };
}
