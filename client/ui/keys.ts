import { useEffect } from 'react';

/** What keys do, by their names; each is told what has the focus. */
export type Keys = Record<string, (focused: HTMLElement) => void>;

/** Listens for keys where nobody types. `keys` stay the same from render to render. */
export function useKeys(keys: Keys) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const focused = event.target as HTMLElement;
      const isTyping = focused.closest('input:not([type=checkbox]), select, textarea, dialog') !== null;
      const act = keys[event.key];
      if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      act(focused);
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [keys]);
}

/** Moves the focus through the rows of a list; where it is in none yet, to the first. */
function move(by: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** Up and down a list whose rows have a link with `data-row`. */
export const rowKeys: Keys = { j: () => move(1), k: () => move(-1) };
