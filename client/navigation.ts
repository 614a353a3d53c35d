// What screens may tell the router, without knowing of it.
import type { Page } from './api/page.gen';

/**
 * A page that the open screen can make by itself, from what it knows. `isAway` asks for what would do as long as the
 * server cannot be reached.
 */
export type OwnPages = (url: URL, isAway: boolean) => Page | undefined;

const offers = new Map<OwnPages, Page>();

/** Lets the screen that shows `page` make pages of its own, until the function that is returned is called. */
export function offerPages(page: Page, pages: OwnPages): () => void {
  offers.set(pages, page);
  return () => void offers.delete(pages);
}

/**
 * The page at an address, if the screen of `current` makes it. When the router has gone on already and the next screen is not
 * there yet, Back would otherwise find what the one before began with.
 */
export function ownPage(current: Page, url: URL, isAway: boolean): Page | undefined {
  for (const [pages, shown] of offers) {
    const page = shown === current ? pages(url, isAway) : undefined;
    if (page) return page;
  }
  return undefined;
}
