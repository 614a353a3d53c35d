import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { ListRow } from '../../api/page.gen';
import { moveRow, useKeys } from '../../ui/office-offers';
import type { Key } from '../../ui/office-offers';
import { part } from '../../ui/part';

export const SidePanel = part(async () => (await import('../../ui/office-panel')).OfficePanel);

/** As in office-list.css. */
const ROOM = '(min-width: 68.75rem)';

/** The row in the side panel when the list was last left. Restored when the user comes back. */
let remembered: string | undefined;

const hasRoom = () => matchMedia(ROOM).matches;
function onRoom(change: () => void) {
  const room = matchMedia(ROOM);
  room.addEventListener('change', change);
  return () => room.removeEventListener('change', change);
}

const idOf = (element: Element) =>
  element.closest('tr')?.querySelector<HTMLElement>('[data-row]')?.dataset.row;
const linkOf = (id: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
const inPanel = (selector: string) => document.querySelector<HTMLElement>(`.side-panel ${selector}`);

/** Fetches the panel's chunk early. Whatever opens the panel handles a failure. */
export const preparePanel = () => void SidePanel.load().catch(() => undefined);

export interface PanelState {
  /** The row open in the side panel, if any. */
  row: ListRow | undefined;
  isBeside: boolean;
  toggle: (id: string) => void;
  close: () => void;
  onKey: (key: string) => boolean;
}

/** The application open in the side panel, and the keys for it. */
export function useSidePanel(rows: ListRow[]): PanelState {
  const [shown, setShown] = useState(() => (remembered !== undefined && hasRoom() ? remembered : undefined));
  const isBeside = useSyncExternalStore(onRoom, hasRoom, () => false);
  // On another page of the list the panel shows the first row.
  const row = shown === undefined ? undefined : (rows.find(({ id }) => id === shown) ?? rows[0]);

  const [panel, keys] = useMemo(() => {
    const show = (id: string | undefined) => {
      remembered = id;
      setShown(id);
    };
    const open = (id: string) =>
      void SidePanel.load().then(
        () => show(id),
        () => linkOf(id)?.click(),
      );
    const close = () => {
      // While the panel covers the list, nothing in the list can take the focus.
      flushSync(() => show(undefined));
      const isInRow = document.activeElement && idOf(document.activeElement) === row?.id;
      if (row && !isInRow) linkOf(row.id)?.focus();
    };
    const toggle = (id: string) => (id === row?.id ? close() : open(id));
    const step = (by: 1 | -1) => {
      const next = rows[rows.findIndex(({ id }) => id === row?.id) + by];
      if (next) show(next.id);
    };
    const link = (focused: HTMLElement) => linkOf(idOf(focused) ?? row?.id ?? '');
    const act = () => inPanel('[data-first-act]')?.click();
    const arrow = (by: 1 | -1) => (focused: HTMLElement) => (row && idOf(focused) ? moveRow(by) : false);

    const listKeys: Key[] = [
      {
        press: ' ',
        does: 'Open or close the preview of the application',
        act: (focused) => {
          const id = idOf(focused);
          if (!id || focused.matches('input, button')) return false;
          return toggle(id);
        },
      },
      {
        press: 'ArrowRight',
        does: 'Open the preview, then go into it',
        act: (focused) => {
          const id = idOf(focused);
          if (!id) return false;
          if (id !== row?.id) return open(id);
          return inPanel('h2 a')?.focus();
        },
      },
      {
        press: 'ArrowLeft',
        does: 'Close the preview',
        act: (focused) => (row && (idOf(focused) || focused.closest('.side-panel')) ? close() : false),
      },
      // An open menu handles it first.
      { press: 'Escape', act: (focused) => (row && !focused.closest('details[open]') ? close() : false) },
      { press: 'ArrowDown', act: arrow(1) },
      { press: 'ArrowUp', act: arrow(-1) },
      { press: 'o', does: 'Open the application', act: (focused) => link(focused)?.click() },
      { press: 'e', does: 'Begin the first act that the preview offers', act },
    ];
    /** The same keys while the panel covers the list, where the arrows scroll the panel. */
    const ownKeys: Record<string, () => void> = {
      ' ': close,
      ArrowLeft: close,
      j: () => step(1),
      k: () => step(-1),
      o: () => linkOf(row?.id ?? '')?.click(),
      e: act,
      x: () =>
        linkOf(row?.id ?? '')
          ?.closest('tr')
          ?.querySelector('input')
          ?.click(),
    };
    const onKey = (key: string) => {
      ownKeys[key]?.();
      return key in ownKeys;
    };
    return [{ toggle, close, onKey, show }, listKeys];
  }, [rows, row]);
  useKeys(keys, 'Preview');

  const isFollowing = row !== undefined && isBeside;
  const { show } = panel;
  useEffect(() => {
    if (!isFollowing) return undefined;
    const follow = ({ target }: FocusEvent) => {
      const id = idOf(target as Element);
      if (id) show(id);
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [isFollowing, show]);

  return { ...panel, row, isBeside };
}
