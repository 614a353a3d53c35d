import { useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Page } from './api/page';
import { checkStoredToken } from './api/session';
import { App } from './app';
import { CrashBoundary } from './features/crash/crash-boundary';
import { NavigationRoot } from './navigation';
import { load } from './routes';

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The document has no #${id}`);
  return found;
}

function Root({ page, onReady }: { page: Page; onReady: () => void }) {
  useEffect(onReady, [onReady]);
  return (
    <CrashBoundary>
      <NavigationRoot initial={page}>
        {(current, isWaiting) => <App page={current} isWaiting={isWaiting} />}
      </NavigationRoot>
    </CrashBoundary>
  );
}

/** Resolves when the page answers to React. Rejects when its chunk cannot be fetched; the page then stays plain. */
export const hydrated: Promise<void> = (async () => {
  const data = element('page');
  const page = JSON.parse(data.textContent) as Page;
  const container = element('root');
  // Loaded before hydrating: a screen that suspends would hydrate late and lose its first clicks.
  await load(page.route);
  await new Promise<void>((onReady) => {
    const root = <Root page={page} onReady={onReady} />;
    // oxlint-disable-next-line no-console -- the browser's console is where a visitor's report comes from
    const options = { onRecoverableError: (error: unknown) => console.error(error) };
    // Set when the server could not render: what is in the root then is no screen.
    if (data.dataset.clientOnly === undefined) hydrateRoot(container, root, options);
    else createRoot(container).render(root);
  });
  const whenIdle = window.requestIdleCallback ?? window.setTimeout;
  whenIdle(() => void checkStoredToken(location.pathname));
})();
