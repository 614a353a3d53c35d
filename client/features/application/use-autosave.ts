import { useEffect, useState, useSyncExternalStore } from 'react';
import { loadApplication, saveApplication, type StoredApplication } from '../../api/application';
import type { ApplicationProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { createAutosave, type Autosave } from './autosave';
import { LOGOUT_QUESTION } from '../../api/local-data';
import { draftsOf } from './drafts';
import { initialState, isUnsaved, type State } from './state';

type Application = NonNullable<ApplicationProps['application']>;

/** How long a page is out of sight until its answers are looked up again, in milliseconds. */
const ABSENCE = 60_000;
/** How long logging out waits for the last save, in milliseconds. */
const LOGOUT_PATIENCE = 3000;

/** Keeps the form's state, and saves it for `applicant` as long as the form is on the page; for null it is not saved. */
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
      // A save that is under way ends later.
      tabs = null;
    };
  }, [autosave, application.id, applicant, applicationType]);

  // The same page asked for again: what it brings may be newer.
  useEffect(() => {
    autosave.dispatch({ type: 'changed elsewhere', stored: application, savedText: application.savedText });
  }, [autosave, application]);

  return [state, autosave];
}

/** The other tabs of this browser that have the same application open. */
function openChannel(id: string, onSaved: (stored: StoredApplication) => void): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  const channel = new BroadcastChannel(`matricula.application.${id}`);
  channel.addEventListener('message', (event: MessageEvent<StoredApplication>) => onSaved(event.data));
  return channel;
}

/**
 * Saves before the page goes out of sight, as soon as the network is back, and before logging out. Calls `refresh` when
 * someone comes back to the page, perhaps from another device.
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

/** Sets this tab's draft apart from those of others; nothing depends on it being hard to guess. */
function tabName(): string {
  return Math.random().toString(36).slice(2);
}

function savedText({ updatedAt }: StoredApplication): string {
  const clock = new Date(updatedAt).toLocaleTimeString([], { timeStyle: 'short' });
  return t`Saved ${clock}`;
}
