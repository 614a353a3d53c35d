import { useEffect } from 'react';

/** What keys do, by their names; each is told what has the focus, and says `false` to leave the key to the browser. */
export type Keys = Record<string, (focused: HTMLElement) => void | false>;

/** Listens for keys where nobody types. `keys` stay the same from render to render. */
export function useKeys(keys: Keys) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const focused = event.target as HTMLElement;
      const isTyping = focused.closest('input:not([type=checkbox]), select, textarea, dialog') !== null;
      const act = keys[event.key];
      if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (act(focused) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [keys]);
}

/** Moves the focus through the rows of a list: on from where it is, else from the row that is current, else to the first. */
function move(by: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const here = document.activeElement?.closest('tr') ?? document.querySelector('tr[aria-current]');
  const at = rows.findIndex((row) => row.closest('tr') === here);
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** Up and down a list whose rows have a link with `data-row`. */
export const rowKeys: Keys = { j: () => move(1), k: () => move(-1) };
