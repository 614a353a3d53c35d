import { useEffect, useState, useSyncExternalStore } from 'react';
import { loadApplication, saveApplication, type StoredApplication } from '../../api/application';
import type { ApplicationProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { createAutosave, type Autosave } from './autosave';
import { LOGOUT_QUESTION } from '../../api/local-data';
import { draftsOf } from './drafts';
import { initialState, isUnsaved, type State } from './state';

type Application = NonNullable<ApplicationProps['application']>;

/** How long a page must be hidden before its answers are reloaded, in milliseconds. */
const ABSENCE = 60_000;
/** Maximum time that logging out waits for the last save, in milliseconds. */
const LOGOUT_PATIENCE = 3000;

/** Holds the form's state and saves it for `applicant` while the form is on the page; null disables saving. */
export function useAutosave(
  props: ApplicationProps,
  application: Application,
  applicant: string | null,
): [State, Autosave] {
  const [autosave] = useState(() => createAutosave(initialState(props, application)));
  const [initial] = useState(autosave.getState);
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState, () => initial);
  const { applicationType } = props.info;

  useEffect(() => {
    if (applicant === null) return undefined;
    let tabs = openChannel(application.id, (stored) => {
      autosave.dispatch({ type: 'changed elsewhere', stored, savedText: savedText(stored) });
    });
    autosave.start({
      save: (change) => saveApplication({ ...change, applicationType, applicant }),
      drafts: draftsOf(application.id, applicant, tabName()),
      announce: (stored) => tabs?.postMessage(stored),
      savedText,
      now: () => Date.now(),
    });
    const stopWatching = watchBrowser(autosave, async () => {
      const result = await loadApplication(applicant);
      if (!result.ok) return;
      const stored = result.application;
      autosave.dispatch({ type: 'changed elsewhere', stored, savedText: savedText(stored) });
    });
    return () => {
      stopWatching();
      autosave.stop();
      tabs?.close();
      // A running save ends later.
      tabs = null;
    };
  }, [autosave, application.id, applicant, applicationType]);

  // The page was requested again and may contain newer answers.
  useEffect(() => {
    autosave.dispatch({ type: 'changed elsewhere', stored: application, savedText: application.savedText });
  }, [autosave, application]);

  return [state, autosave];
}

/** Opens a channel to this browser's other tabs with the same application. */
function openChannel(id: string, onSaved: (stored: StoredApplication) => void): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  const channel = new BroadcastChannel(`matricula.application.${id}`);
  channel.addEventListener('message', (event: MessageEvent<StoredApplication>) => onSaved(event.data));
  return channel;
}

/**
 * Saves before the page is hidden, when the network is back, and before logging out. Calls `refresh` when the user
 * returns to the page, perhaps from another device.
 */
function watchBrowser(autosave: Autosave, refresh: () => Promise<void>): () => void {
  const flush = () => void autosave.flush();
  let left = Date.now();
  const visibility = () => {
    if (document.visibilityState === 'hidden') {
      left = Date.now();
      flush();
    } else if (Date.now() - left > ABSENCE) void refresh();
  };
  const leaving = (event: BeforeUnloadEvent) => {
    if (autosave.wouldLose()) event.preventDefault();
  };

  let leave = false;
  const loggingOut = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    if (leave || form.getAttribute('action') !== '/auth/logout' || !isUnsaved(autosave.getState())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void Promise.race([autosave.flush(), new Promise((wake) => setTimeout(wake, LOGOUT_PATIENCE))]).then(
      () => {
        leave = !isUnsaved(autosave.getState()) || confirm(LOGOUT_QUESTION);
        if (!leave) return;
        autosave.abandon();
        form.requestSubmit();
      },
    );
  };

  window.addEventListener('online', flush);
  window.addEventListener('pagehide', flush);
  window.addEventListener('beforeunload', leaving);
  document.addEventListener('visibilitychange', visibility);
  document.addEventListener('submit', loggingOut, true);
  return () => {
    window.removeEventListener('online', flush);
    window.removeEventListener('pagehide', flush);
    window.removeEventListener('beforeunload', leaving);
    document.removeEventListener('visibilitychange', visibility);
    document.removeEventListener('submit', loggingOut, true);
  };
}

/** Distinguishes this tab's draft from those of others; need not be hard to guess. */
function tabName(): string {
  return Math.random().toString(36).slice(2);
}

function savedText({ updatedAt }: StoredApplication): string {
  const clock = new Date(updatedAt).toLocaleTimeString([], { timeStyle: 'short' });
  return t`Saved ${clock}`;
}
