import { CacheProvider } from '@emotion/react';
import { useEffect, useInsertionEffect, useLayoutEffect, useRef } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import type { DataRouter } from 'react-router';
import type { Page } from './api/page.gen';
import { checkStoredToken } from './api/session';
import { followLinks } from './links';
import { pageLoader } from './page-loader';
import { reactDom } from './react-dom';
import { ROOT } from './root';
import { routerWindow } from './router-window';
import { routesWith } from './routes';
import { isOffice, load, loadAll, loadEarly } from './screens';
import { createStyleCache, type StyleCache } from './theme/style-cache';
import { ThemeRoot } from './theme/theme-root';
import { isField } from './ui/is-field';
import './shared';

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The document has no #${id}`);
  return found;
}

/**
 * Leaves somebody who is typing already in the field they are in: a dialog that becomes modal, an autofocused field and
 * a list of errors take the focus when they come to life.
 */
function useFieldInFocus() {
  const field = useRef<Element>(null);
  // The earliest of all effects.
  useInsertionEffect(() => {
    field.current = document.activeElement;
  }, []);
  // After those of the screen, both times. Before the second, which comes later, somebody may have gone to another field.
  useLayoutEffect(() => {
    if (isField(field.current)) field.current.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (isField(field.current) && !isField(document.activeElement))
      field.current.focus({ preventScroll: true });
  }, []);
}

/** A landing page has the styles of its own screen inside. What it leads to needs the others. */
async function wholeStylesheet(): Promise<void> {
  const inside = document.querySelector<HTMLStyleElement>('style[data-whole]');
  if (!inside) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = inside.dataset.whole ?? '';
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
    inside.after(link);
  });
  inside.remove();
}

/** The router of the document, whose screen is loaded: it begins with the page that the server has rendered. */
function createRouter(page: Page): DataRouter {
  /** Loads a document. What it was asked for may turn out to be a file, so the open page must not stay waiting. */
  function leave(url: URL, isEntry: boolean) {
    if (isEntry) {
      if (url.href === location.href && url.hash) location.reload();
      else location.replace(url);
      return;
    }
    const { pathname, search, hash, state } = router.state.location;
    void router.navigate(pathname + search + hash, {
      replace: true,
      state,
      preventScrollReset: true,
      defaultShouldRevalidate: false,
    });
    location.assign(url);
  }
  const current = () => router.state.loaderData[ROOT] as Page;
  const loader = pageLoader({ office: isOffice(page.route), current, leave });
  const router = createBrowserRouter(routesWith(loader), {
    window: routerWindow(),
    hydrationData: { loaderData: { [ROOT]: page } },
  });
  return router;
}

interface HydratedProps {
  router: DataRouter;
  styles: StyleCache;
  onReady: () => void;
}

function Hydrated({ router, styles, onReady }: HydratedProps) {
  useFieldInFocus();
  // After those of all that is in it, which is where styles are inserted.
  useInsertionEffect(styles.hydrated, [styles]);
  // Behind a dialog that becomes modal.
  useEffect(() => void setTimeout(onReady), [onReady]);
  // Screens never suspend, and that a page is on its way is shown at once.
  return <RouterProvider router={router} useTransitions={false} />;
}

/** Lets what waits, such as a key that was pressed, go first. */
const nextTask = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', resolve, { once: true });
    port1.start();
    port2.postMessage(null);
  });

/** Resolves when the page answers to React. Rejects when its chunk cannot be fetched; the page then stays plain. */
export const hydrated: Promise<void> = (async () => {
  const data = element('page');
  const page = JSON.parse(data.textContent) as Page;
  const container = element('root');
  // Loaded before hydrating: a screen that suspends would hydrate late and lose its first clicks.
  await Promise.all([load(page), wholeStylesheet()]);
  await nextTask();
  const { createRoot, hydrateRoot } = reactDom();
  await nextTask();
  const router = createRouter(page);
  // Set when the server could not render: what is in the root then is no screen.
  const isHydrating = data.dataset.clientOnly === undefined;
  const styles = createStyleCache(isHydrating);
  await new Promise<void>((onReady) => {
    const root = (
      <CacheProvider value={styles.cache}>
        <ThemeRoot>
          <Hydrated router={router} styles={styles} onReady={onReady} />
        </ThemeRoot>
      </CacheProvider>
    );
    // oxlint-disable-next-line no-console -- the browser's console is where a visitor's report comes from
    const options = { onRecoverableError: (error: unknown) => console.error(error) };
    if (isHydrating) hydrateRoot(container, root, options);
    else createRoot(container).render(root);
  });
  followLinks(router);
  const whenIdle = window.requestIdleCallback ?? window.setTimeout;
  whenIdle(styles.readSheets);
  whenIdle(() => {
    void checkStoredToken(location.pathname);
    // What is missing then is fetched when it is shown.
    loadEarly(page.route).catch(() => undefined);
  });
  // Whoever types may have to log in again in hours, when the server may have other files.
  addEventListener('input', () => void loadAll(page.route).catch(() => undefined), { once: true });
})();
