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
import { expectedScreen, routesWith } from './routes';
import type { Paths } from './routes';
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
 * Keeps the focus in the field where the user is already typing: a dialog that becomes modal, an autofocused field and
 * an error summary take the focus when they hydrate.
 */
function useFieldInFocus() {
  const field = useRef<Element>(null);
  // Runs before all other effects.
  useInsertionEffect(() => {
    field.current = document.activeElement;
  }, []);
  // Both run after the screen's own effects. Before the second, which comes later, the user may have moved to another
  // field.
  useLayoutEffect(() => {
    if (isField(field.current)) field.current.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (isField(field.current) && !isField(document.activeElement))
      field.current.focus({ preventScroll: true });
  }, []);
}

/**
 * Loads the whole stylesheet. A landing page has only its own screen's styles inline; the pages it leads to need the
 * others.
 */
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

/** Creates the document's router. Its screen is loaded, and it starts with the page that the server has rendered. */
function createRouter(page: Page, officePaths: Paths): DataRouter {
  /**
   * Loads a document. The request may turn out to be for a file, so the open page must not stay in its loading state.
   */
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
  const expected = (pathname: string) => expectedScreen(router.routes, pathname);
  const loader = pageLoader({ office: isOffice(page.route), current, expected, leave });
  const router = createBrowserRouter(routesWith(officePaths, loader), {
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
  // Runs after the effects of everything inside, which insert the styles.
  useInsertionEffect(styles.hydrated, [styles]);
  // Runs after a dialog has become modal.
  useEffect(() => void setTimeout(onReady), [onReady]);
  // Screens never suspend, and the loading state must show immediately.
  return <RouterProvider router={router} useTransitions={false} />;
}

/** Lets pending work, such as a key press, go first. */
const nextTask = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', resolve, { once: true });
    port1.start();
    port2.postMessage(null);
  });

/** Resolves when the page responds to React. Rejects if its chunk cannot be fetched; the page then stays static. */
export const hydrated: Promise<void> = (async () => {
  const data = element('page');
  const page = JSON.parse(data.textContent) as Page;
  const container = element('root');
  // Loaded before hydrating: a screen that suspends would hydrate late and lose its first clicks.
  await Promise.all([load(page), wholeStylesheet()]);
  await nextTask();
  const { createRoot, hydrateRoot } = reactDom();
  await nextTask();
  const officePaths = isOffice(page.route) ? (await import('./office')).officePaths : {};
  const router = createRouter(page, officePaths);
  // Set if the server could not render: the root then holds no screen.
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
    // Anything missing then is fetched when it is shown.
    loadEarly(page.route).catch(() => undefined);
  });
  // A user who types may have to log in again hours later, when the server may have other files.
  addEventListener('input', () => void loadAll(page.route).catch(() => undefined), { once: true });
})();
