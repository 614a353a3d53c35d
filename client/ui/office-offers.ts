// What the open page offers besides what is seen of it: keys, and commands of the palette. Pages tell it here, and the sheet of
// keys and the palette read it.
import { useLayoutEffect } from 'react';
import type { IconName } from './icon';

export interface Key {
  /** As a keyboard event names it, with `Ctrl` before it or with another one that is pressed first: `n`, `Ctrl K`, `g w`. */
  press: string;
  /** For the sheet of keys; what does the same as another key is not told there. */
  does?: string;
  /** Is told what has the focus, and says `false` to leave the key to the browser. */
  act: (focused: HTMLElement) => void | false;
}

export interface Command {
  label: string;
  icon: IconName;
  /** Where it leads, or what it does. */
  run: string | (() => void);
  /** The key that does the same. */
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

/** Its keyboards have ⌘ in the place of Ctrl. */
export const isApple = () => /^(Mac|iP)/.test(navigator.platform);

/** Milliseconds in which the second of two keys has to follow the first. */
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
 * Listens for keys where nobody types; for those with Ctrl, everywhere. `keys` stay the same from render to render. In a layout
 * effect, so that a page that answers to clicks answers to keys too.
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

/** What a key does that clicks the one thing of the page that is marked so. */
export const clickOn = (mark: string) => () => document.querySelector<HTMLElement>(`[${mark}]`)?.click();

/** Offers commands in the palette, while the page is open. `commands` stay the same from render to render. */
export function useCommands(commands: Command[], heading: string) {
  useLayoutEffect(() => {
    const group = { heading, items: commands };
    commandGroups.add(group);
    return () => void commandGroups.delete(group);
  }, [commands, heading]);
}

/** Moves the focus through the rows of a list: on from where it is, else from the row that is current, else to the first. */
export function moveRow(by: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const here = document.activeElement?.closest('tr') ?? document.querySelector('tr[aria-current]');
  const at = rows.findIndex((row) => row.closest('tr') === here);
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** Up and down a list whose rows have a link with `data-row`, and are called so. */
export const rowKeys = (row: string): Key[] => [
  { press: 'j', does: `Next ${row}`, act: () => moveRow(1) },
  { press: 'k', does: `Previous ${row}`, act: () => moveRow(-1) },
];
