// What the open page offers besides what is seen of it: keys, and commands of the palette. Pages tell it here, and the sheet of
// keys and the palette read it.
import { useEffect } from 'react';
import type { IconName } from './icon';

export interface Key {
  /** As a keyboard event names it, with `Ctrl` before it or with another one that is pressed first: `n`, `Ctrl K`, `g w`. */
  press: string;
  does: string;
  /** Is told what has the focus. */
  act: (focused: HTMLElement) => void;
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
  event.preventDefault();
  key.act(focused);
}

/** Listens for keys where nobody types; for those with Ctrl, everywhere. `keys` stay the same from render to render. */
export function useKeys(keys: Key[], heading = 'On this page') {
  useEffect(() => {
    const group = { heading, items: keys };
    if (keyGroups.size === 0) document.addEventListener('keydown', press);
    keyGroups.add(group);
    return () => {
      keyGroups.delete(group);
      if (keyGroups.size === 0) document.removeEventListener('keydown', press);
    };
  }, [keys, heading]);
}

/** Offers commands in the palette, while the page is open. `commands` stay the same from render to render. */
export function useCommands(commands: Command[], heading: string) {
  useEffect(() => {
    const group = { heading, items: commands };
    commandGroups.add(group);
    return () => void commandGroups.delete(group);
  }, [commands, heading]);
}

/** Moves the focus through the rows of a list; where it is in none yet, to the first. */
function move(by: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** Up and down a list whose rows have a link with `data-row`, and are called so. */
export const rowKeys = (row: string): Key[] => [
  { press: 'j', does: `Next ${row}`, act: () => move(1) },
  { press: 'k', does: `Previous ${row}`, act: () => move(-1) },
];
