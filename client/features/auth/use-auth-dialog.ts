import { useEffect, useState } from 'react';
import type { AuthDialogProps, AuthMode } from '../../api/page';
import { dialogHref, dialogMode } from './links';
import type { Draft } from './draft';

/** Marks the history entries that opening the dialog in place has made. */
const inPlace = { authDialog: true };

/**
 * The dialog of a page whose address says whether it is open: `?dialog=…`. Links to that address open it without
 * loading the page, Back closes it. `dialog` is what the server rendered.
 */
export function useAuthDialog(pageHref: string, dialog: AuthDialogProps | null) {
  const [draft] = useState<Draft>(() => new Map());
  const [rendered, setRendered] = useState(dialog);
  const [mode, setMode] = useState(dialog?.mode ?? null);

  // A new page from the server is the truth again.
  if (rendered !== dialog) {
    setRendered(dialog);
    setMode(dialog?.mode ?? null);
  }

  useEffect(() => {
    function openInPlace(event: MouseEvent) {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || link.origin !== location.origin || link.pathname !== pageHref) return;
      const asked = dialogMode(link.search);
      // Links inside the dialog know themselves what they do.
      if (!asked || link.closest('dialog')) return;
      event.preventDefault();
      history.pushState(inPlace, '', link.href);
      setMode(asked);
    }
    function follow() {
      if (location.pathname === pageHref) setMode(dialogMode(location.search));
    }
    // Capturing, so that soft navigation finds the click taken.
    document.addEventListener('click', openInPlace, true);
    window.addEventListener('popstate', follow);
    return () => {
      document.removeEventListener('click', openInPlace, true);
      window.removeEventListener('popstate', follow);
    };
  }, [pageHref]);

  return {
    mode,
    draft,
    /** The form post that came back, if it was of the mode that is open. */
    form: dialog && dialog.mode === mode ? dialog : undefined,
    switchTo(next: AuthMode) {
      history.replaceState(history.state, '', dialogHref(pageHref, next, dialog?.redirect));
      setMode(next);
    },
    close() {
      setMode(null);
      if (history.state?.authDialog) history.back();
      else history.replaceState(null, '', pageHref);
    },
  };
}
