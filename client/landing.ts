// The only script that a landing page runs at first. It loads the full client when the user is about to interact, so
// that a visitor who only reads downloads nothing more. Without it, and whenever that fails, the page's plain links and
// forms do the same by loading documents.

const INTERACTIVE = 'a,button,input,select,textarea';
const INTENTS = ['pointerdown', 'pointerover', 'keydown', 'focusin'];
/** Maximum milliseconds a click is held before the plain link is followed. */
const PATIENCE = 3000;

let ready: Promise<unknown> | undefined;
let isHolding = false;

function prepare(): Promise<unknown> {
  ready ??= import('./entry').then((entry) => entry.hydrated).catch(() => undefined);
  return ready;
}

const around = (event: Event, selector: string) =>
  event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(selector) : null;

function onIntent(event: Event) {
  if (event.type !== 'keydown' && !around(event, INTERACTIVE)) return;
  for (const intent of INTENTS) removeEventListener(intent, onIntent, true);
  prepare().then(() => removeEventListener('click', onClick, true));
}

/** Holds the first click on a link to one of our pages, and replays it once the page can handle it in place. */
function onClick(event: MouseEvent) {
  const link = around(event, 'a[href]');
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isHolding) return;
  isHolding = true;
  Promise.race([prepare(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]).then(() => {
    removeEventListener('click', onClick, true);
    link.click();
  });
}

for (const intent of INTENTS) addEventListener(intent, onIntent, { capture: true, passive: true });
addEventListener('click', onClick, true);
// A user who arrives with a dialog open is already about to interact.
if (document.querySelector('dialog')) void prepare();
