// What the open page offers besides its visible content: keys, and commands of the palette. Pages register them here;
// the sheet of keyboard shortcuts and the palette read them.
import { useLayoutEffect } from 'react';
import type { IconName } from './icon';

export interface Key {
  /**
   * As named by keyboard events, with a prefix of `Ctrl` or of another key that is pressed first: `n`, `Ctrl K`, `g w`.
   */
  press: string;
  /** Description for the sheet of keyboard shortcuts; omitted if another key does the same. */
  does?: string;
  /** Receives the focused element, and returns `false` to leave the key to the browser. */
  act: (focused: HTMLElement) => void | false;
}

export interface Command {
  label: string;
  icon: IconName;
  /** An address or an action. */
  run: string | (() => void);
  /** The equivalent key. */
  press?: string;
}

interface Group<T> {
  heading: string;
  items: T[];
}
export type KeyGroup = Group<Key>;
export type CommandGroup = Group<Command>;

const keyGroups = new Set<KeyGroup>();
const commandGroups = new Set<CommandGroup>();

export const offeredKeys = (): KeyGroup[] => [...keyGroups];
export const offeredCommands = (): CommandGroup[] => [...commandGroups];

/** Whether the device has ⌘ instead of Ctrl. */
export const isApple = () => /^(Mac|iP)/.test(navigator.platform);

/** Milliseconds within which the second of two keys must follow the first. */
const PATIENCE = 1500;
let first = { name: '', at: 0 };

function press(event: KeyboardEvent) {
  if (event.defaultPrevented || event.altKey) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.shiftKey) return;
  const focused = event.target as HTMLElement;
  const isTyping =
    focused.closest('input:not([type=checkbox]), select, textarea, dialog, [role=menu]') !== null;
  if (isTyping && !isCommand) return;
  const name = isCommand ? `Ctrl ${event.key.toUpperCase()}` : event.key;
  const known = offeredKeys().flatMap(({ items }) => items);
  const both = event.timeStamp - first.at < PATIENCE ? `${first.name} ${name}` : name;
  const key = known.find((each) => each.press === both) ?? known.find((each) => each.press === name);
  first = { name: key ? '' : name, at: event.timeStamp };
  if (!key) return;
  if (key.act(focused) !== false) event.preventDefault();
}

/**
 * Listens for keys unless the user is typing; for those with Ctrl, always. `keys` must be stable across renders. Uses a
 * layout effect, so that a page that responds to clicks also responds to keys.
 */
export function useKeys(keys: Key[], heading = 'On this page') {
  useLayoutEffect(() => {
    const group = { heading, items: keys };
    if (keyGroups.size === 0) document.addEventListener('keydown', press);
    keyGroups.add(group);
    return () => {
      keyGroups.delete(group);
      if (keyGroups.size === 0) document.removeEventListener('keydown', press);
    };
  }, [keys, heading]);
}

/** Returns an action that clicks the page's only element with this attribute. */
export const clickOn = (mark: string) => () => document.querySelector<HTMLElement>(`[${mark}]`)?.click();

/** Offers commands in the palette while the page is open. `commands` must be stable across renders. */
export function useCommands(commands: Command[], heading: string) {
  useLayoutEffect(() => {
    const group = { heading, items: commands };
    commandGroups.add(group);
    return () => void commandGroups.delete(group);
  }, [commands, heading]);
}

/**
 * Moves the focus through the rows of a list, starting from the focused row, otherwise the current one, otherwise the
 * first.
 */
export function moveRow(by: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const here = document.activeElement?.closest('tr') ?? document.querySelector('tr[aria-current]');
  const at = rows.findIndex((row) => row.closest('tr') === here);
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** Keys to move up and down a list whose rows have a link with `data-row`; `row` is what a row is called. */
export const rowKeys = (row: string): Key[] => [
  { press: 'j', does: `Next ${row}`, act: () => moveRow(1) },
  { press: 'k', does: `Previous ${row}`, act: () => moveRow(-1) },
];
