import { expect, test } from 'vitest';
import { bundleServer } from './bundle.mjs';
import { difference, name, pages, rendererOf } from './rendered-pages';
import type { Render } from './rendered-pages';
import { isolate, parted } from './styles.mjs';

test('nothing of one visitor stays for the next', async () => {
  const [once, again] = await Promise.all([rendererOf(bundleServer()), rendererOf(bundleServer())]);
  const first = pages.map((page) => once(JSON.stringify(page)));
  // The other renders every page among those of another user, in reverse order, twice.
  const backwards = pages.map((page) => JSON.stringify(page)).toReversed();
  for (const json of [...backwards, ...backwards]) again(json.replaceAll('Zoë', 'Somebody else'));
  for (const [index, page] of pages.entries()) {
    const html = again(JSON.stringify(page));
    expect(difference(html, first[index] ?? ''), name(page)).toBeUndefined();
  }
});

test('nothing of a page that threw stays for the next, styles included', async () => {
  // Neither knows the stylesheets' classes, so all styles are sent with the page.
  const [after, alone] = (await Promise.all(
    [0, 1].map(async () => (await isolate(await bundleServer())) as { render: Render }),
  )) as [{ render: Render }, { render: Render }];
  const broken = pages.find(({ route }) => route === 'dashboard')!;
  for (const page of pages.filter(({ route }) => ['problem', 'adminLogin'].includes(route))) {
    // Its menus are rendered before the missing part.
    const { timeline: _, ...props } = broken.props as Record<string, unknown>;
    expect(() => after.render(JSON.stringify({ ...broken, props }))).toThrow();
    const [ours, theirs] = [after, alone].map(({ render }) => parted(render(JSON.stringify(page))));
    expect(ours!.names.toSorted(), name(page)).toEqual(theirs!.names.toSorted());
    expect(difference(ours!.html, theirs!.html), name(page)).toBeUndefined();
  }
});

test('what is remembered does not grow with the texts of visitors', async () => {
  const context = await isolate(await bundleServer());
  const { render, remembered } = context as unknown as { render: Render; remembered: () => number };
  const renderAll = (who: string) => {
    for (const page of pages) render(JSON.stringify(page).replaceAll('Zoë', who));
  };
  // Twice: what is only discovered while rendering is cached from the second time on.
  for (let time = 0; time < 2; time += 1) renderAll('Zoë');
  const before = remembered();
  for (const who of ['Ana', 'Bo']) renderAll(who);
  expect(remembered()).toBe(before);
});

test('no screen has a style attribute, which the policy of documents forbids', async () => {
  const render = await rendererOf(bundleServer());
  for (const page of pages) {
    const [found] = /<[^>]* style="[^"]*"/.exec(render(JSON.stringify(page))) ?? [];
    expect(found, name(page)).toBeUndefined();
  }
});
