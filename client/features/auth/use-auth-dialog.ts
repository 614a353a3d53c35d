import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { AuthMode, FormState, Page } from '../../api/page.gen';
import { offerPages } from '../../navigation';
import type { Draft } from './draft';
import { dialogHref, dialogMode } from './links';

/** Marks history entries created by opening the dialog in place. */
const inPlace = { authDialog: true };

const untouched: FormState = { values: {}, errors: {} };

type DialogPage = Extract<Page, { route: 'apply' | 'application' }>;

/**
 * The dialog of a page whose address says whether it is open: `?dialog=…`. Links to that address open it without asking
 * the server, and Back closes it. `fallback` is where logging in leads if the server has not said so.
 */
export function useAuthDialog(page: DialogPage, pageHref: string, fallback: string) {
  const { dialog } = page.props;
  const navigate = useNavigate();
  const { state } = useLocation();
  const isInPlace = (state as Partial<typeof inPlace> | null)?.authDialog === true;
  const [draft] = useState<Draft>(() => new Map());
  const [redirect, setRedirect] = useState(dialog?.redirect ?? fallback);
  // The address being navigated to in place.
  const asked = useRef<string>(null);

  // Kept while the dialog is closed, too.
  if (dialog && dialog.redirect !== redirect) setRedirect(dialog.redirect);

  useLayoutEffect(
    () =>
      offerPages(page, (url) => {
        // A user who has just logged in arrives at the same address, and must get the server's page.
        const isBack = isInPlace && url.href === location.href;
        const isOurs = isBack || url.pathname + url.search === asked.current;
        if (url.pathname !== pageHref || !isOurs) return undefined;
        asked.current = null;
        const mode = dialogMode(url.search);
        // The request is for the page itself.
        if (mode === null && dialog === null) return undefined;
        const next = mode && { ...untouched, mode, redirect };
        return { ...page, props: { ...page.props, dialog: next } } as DialogPage;
      }),
    [page, pageHref, dialog, redirect, isInPlace],
  );

  function go(href: string, options: { replace?: boolean; state?: unknown }) {
    asked.current = href;
    void navigate(href, { ...options, preventScrollReset: true });
  }
  const latest = useRef(go);
  useLayoutEffect(() => {
    latest.current = go;
  });

  useEffect(() => {
    function openInPlace(event: MouseEvent) {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || link.origin !== location.origin || link.pathname !== pageHref) return;
      // Links inside the dialog have their own handlers.
      if (!dialogMode(link.search) || link.closest('dialog')) return;
      event.preventDefault();
      latest.current(link.pathname + link.search, { state: inPlace });
    }
    // In the capture phase, so that the router sees the click as handled.
    document.addEventListener('click', openInPlace, true);
    return () => document.removeEventListener('click', openInPlace, true);
  }, [pageHref]);

  return {
    mode: dialog?.mode ?? null,
    draft,
    redirect,
    /** The posted form that came back. */
    form: dialog ?? undefined,
    switchTo(next: AuthMode) {
      go(dialogHref(pageHref, next, redirect), { replace: true, state });
    },
    close() {
      if (isInPlace) void navigate(-1);
      else go(pageHref, { replace: true });
    },
  };
}
