// What screens may tell the router, without depending on it.
import type { Page } from './api/page.gen';

/**
 * Returns a page that the open screen can build from its own data. `isAway` asks for one that will do while the server
 * cannot be reached.
 */
export type OwnPages = (url: URL, isAway: boolean) => Page | undefined;

const offers = new Map<OwnPages, Page>();

/** Lets the screen that shows `page` build its own pages, until the returned function is called. */
export function offerPages(page: Page, pages: OwnPages): () => void {
  offers.set(pages, page);
  return () => void offers.delete(pages);
}

/**
 * Returns the page at an address, if the screen of `current` builds it. If the router has already moved on and the next
 * screen is not there yet, Back would otherwise find the initial page of the previous one.
 */
export function ownPage(current: Page, url: URL, isAway: boolean): Page | undefined {
  for (const [pages, shown] of offers) {
    const page = shown === current ? pages(url, isAway) : undefined;
    if (page) return page;
  }
  return undefined;
}
