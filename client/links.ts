// Makes the plain links of screens navigate in place.
import type { DataRouter } from 'react-router';
import { expectedScreen } from './routes';
import { loadEarly } from './screens';

/** Returns the link to our origin around an element, unless it asks for a document, a download or another window. */
function linkAround(target: EventTarget | null): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.origin !== location.origin) return undefined;
  if (link.hasAttribute('download') || link.dataset.document !== undefined) return undefined;
  return link.target === '' || link.target === '_self' ? link : undefined;
}

/** Returns the link for an unmodified click on a plain link to one of our pages. */
function clickedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = linkAround(event.target);
  // The browser itself moves within a document.
  const isWithin = link?.hash && link.pathname === location.pathname && link.search === location.search;
  return isWithin ? undefined : link;
}

/** Lets the router follow the links of the document. */
export function followLinks(router: DataRouter): void {
  document.addEventListener('click', (event) => {
    const link = clickedLink(event);
    if (!link) return;
    event.preventDefault();
    const { href, pathname, search, hash } = link;
    const isHere = pathname === location.pathname;
    router
      .navigate(pathname + search + hash, {
        replace: href === location.href,
        // Another query of the same path keeps the scroll position.
        preventScrollReset: isHere && !hash,
      })
      // Not an address that the router accepts: left to the browser.
      .catch(() => location.assign(href));
  });
  /** Fetches the chunk of the screen behind a link that is about to be used. */
  function onHint(event: Event) {
    const link = linkAround(event.target);
    const route = link && expectedScreen(router.routes, link.pathname);
    // The click reports the failure.
    if (route) loadEarly(route).catch(() => undefined);
  }
  document.addEventListener('pointerover', onHint);
  document.addEventListener('focusin', onHint);
}
