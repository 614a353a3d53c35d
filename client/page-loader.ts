import { redirect, replace } from 'react-router';
import type { LoaderFunction } from 'react-router';
import type { Page } from './api/page.gen';
import type { NavigationAnswer } from './api/routes';
import { ownPage } from './navigation';
import { expectedScreen } from './routes';
import { isOffice, load, loadEarly } from './screens';

/** Longest chain of redirects that is followed before the browser is left to find the loop itself. */
const REDIRECT_LIMIT = 5;

/** A page and its address, after redirects; or the address that needs a document of its own. */
type Found = { url: URL; page: Page } | { leave: URL };

interface Options {
  /** Whether the document is one of the office, which has a stylesheet of its own. */
  office: boolean;
  /** The page that the router is at. */
  current: () => Page;
  /** Loads a document in the place of a page; `isEntry` when the history is at the address already. */
  leave: (url: URL, isEntry: boolean) => void;
}

/** The one loader: asks the open screen, else the server, for the page at an address. */
export function pageLoader({ office, current, leave }: Options): LoaderFunction {
  /** Fetched at the end of a chain of redirects, for the navigation that the last of them leads to. */
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
        // Forms of this page lead to the provider of card payments, which its policy allows: that comes with a document.
        if (answer.route === 'payments' && answer.props.cards) return { leave: url };
        // Another language was chosen meanwhile: it has scripts of its own.
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
    const expected = expectedScreen(target.pathname);
    // Whether it was the right one, and could be fetched, shows with the answer.
    if (expected) loadEarly(expected).catch(() => undefined);
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
    // A newer navigation has taken over; nobody waits for what this one finds.
    if (request.signal.aborted) return undefined;
    // Of Back and Forward, and of the link to the open page itself.
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
