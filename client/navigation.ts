// What screens may tell the router, without knowing of it.
import type { Page } from './api/page.gen';

/**
 * A page that the open screen can make by itself, from what it knows. `isAway` asks for what would do as long as the
 * server cannot be reached.
 */
export type OwnPages = (url: URL, isAway: boolean) => Page | undefined;

const offers = new Set<OwnPages>();

/** Lets the open screen make pages of its own, until the function that is returned is called. */
export function offerPages(pages: OwnPages): () => void {
  offers.add(pages);
  return () => void offers.delete(pages);
}

/** The page at an address, if the open screen makes it. */
export function ownPage(url: URL, isAway: boolean): Page | undefined {
  for (const pages of offers) {
    const page = pages(url, isAway);
    if (page) return page;
  }
  return undefined;
}
