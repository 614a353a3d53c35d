// Every sample page, rendered by a bundle: for the tests that compare bundles.
import { samplePages } from './samples.mjs';
import { isolate, parted } from './styles.mjs';

export type Page = ReturnType<typeof samplePages>[number];
export type Render = (json: string) => string;

export const name = (page: Page) => `${page.route} for ${page.shared.viewer ? 'somebody' : 'anybody'}`;

export const pages: Page[] = samplePages();

/** Returns where two texts begin to differ, with some context; undefined if they are the same. */
export function difference(ours: string, theirs: string) {
  if (ours === theirs) return undefined;
  let at = 0;
  while (ours[at] === theirs[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 120), at + 80);
  return { ours: around(ours), theirs: around(theirs) };
}

export const rendererOf = async (bundle: Promise<Uint8Array>): Promise<Render> => {
  const { render } = (await isolate(await bundle)) as { render: Render };
  return (json) => parted(render(json)).html;
};

/** Lets Vitest's worker answer between pages, which it must within a minute, however slow the machine is. */
export const pause = () => new Promise(setImmediate);
