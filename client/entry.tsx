import { useEffect, useInsertionEffect, useLayoutEffect, useRef } from 'react';
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

const isField = (target: Element | null): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input, select, textarea');

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

function Root({ page, onReady }: { page: Page; onReady: () => void }) {
  useFieldInFocus();
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
