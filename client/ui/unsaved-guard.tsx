import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { part } from './part';

const LeaveDialog = part(async () => (await import('./leave-dialog')).LeaveDialog);

/** Inputs that hold text. Losing an unsubmitted password does no harm. */
const TEXT_INPUT = /^(date|datetime-local|email|month|number|tel|text|time|url|week)$/;

function isUnsaved(field: Element): boolean {
  const isInput = field instanceof HTMLInputElement;
  if (isInput && field.type === 'file') return field.value !== '';
  if (!(field instanceof HTMLTextAreaElement || (isInput && TEXT_INPUT.test(field.type)))) return false;
  // A rejected value comes back as the field's default.
  const isRejected = field.getAttribute('aria-invalid') === 'true' && field.value !== '';
  return isRejected || field.value !== field.defaultValue;
}

/** For forms whose fields are in React state. */
const isChanged = (form: HTMLFormElement) => form.dataset.changed !== undefined;

/** Searches lose nothing, and dialogs are closed on purpose. */
const forms = () =>
  [...document.forms].filter(
    (form) => form.method === 'post' && form.dataset.savesItself === undefined && !form.closest('dialog'),
  );

/** Whether a form was submitted, and nothing was typed since. */
let isSent = false;

const wouldLose = () =>
  forms().some((form) => isChanged(form) || (!isSent && [...form.elements].some(isUnsaved)));

/** Asks before the user leaves a page with unsaved input. The router allows only one blocker, so the layouts own it. */
export function UnsavedGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && wouldLose(),
  );
  useEffect(() => {
    isSent = false;
    const sent = () => {
      isSent = true;
    };
    const typed = () => {
      isSent = false;
      // Loaded early: when it is needed, the server may no longer have it.
      LeaveDialog.load().catch(() => undefined);
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (wouldLose()) event.preventDefault();
    };
    addEventListener('submit', sent);
    addEventListener('input', typed);
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('submit', sent);
      removeEventListener('input', typed);
      removeEventListener('beforeunload', warn);
    };
  }, []);

  const { state, proceed } = blocker;
  useEffect(() => {
    // If the dialog cannot be loaded, navigation proceeds.
    if (state === 'blocked') LeaveDialog.load().catch(proceed);
  }, [state, proceed]);
  return state === 'blocked' ? <LeaveDialog onStay={blocker.reset} onLeave={proceed} /> : null;
}
