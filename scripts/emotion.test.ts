import { expect, test } from 'vitest';
import { bundleServer } from './bundle.mjs';
import { difference, name, pages, pause, rendererOf } from './rendered-pages';
import { isolate } from './styles.mjs';

const themeOf = async (bundle: Promise<Uint8Array>) =>
  ((await isolate(await bundle)) as { themeData: () => object }).themeData();

test.each(['en', 'es'])('every screen in %s is what emotion itself makes of it', async (language) => {
  const themeData = await themeOf(bundleServer());
  const [ours, engine, stock, browser] = await Promise.all([
    rendererOf(bundleServer(language)),
    rendererOf(bundleServer(language, { templated: false })),
    rendererOf(bundleServer(language, { stock: true })),
    rendererOf(bundleServer(language, { stock: true, themeData })),
  ]);
  for (const [index, page] of pages.entries()) {
    const theme = (['system', 'light', 'dark'] as const)[index % 3];
    const json = JSON.stringify({ ...page, shared: { ...page.shared, theme } });
    expect(difference(engine(json), stock(json)), `${name(page)}, without templates`).toBeUndefined();
    expect(difference(browser(json), stock(json)), `${name(page)}, in the browser`).toBeUndefined();
    expect(difference(ours(json), stock(json)), name(page)).toBeUndefined();
    await pause();
  }
});
