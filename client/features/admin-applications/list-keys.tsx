import { useMemo, useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { rowKeys, useKeys } from '../../ui/keys';
import type { Keys } from '../../ui/keys';

const KEYS = [
  ['/', 'Go to the search field'],
  ['f', 'Open the filters'],
  ['j', 'Next application'],
  ['k', 'Previous application'],
  ['Space', 'Open or close the preview of the application'],
  ['→', 'Open the preview, then go into it'],
  ['←', 'Close the preview'],
  ['o', 'Open the application'],
  ['e', 'Begin the first act that the preview offers'],
  ['x', 'Choose the application'],
  ['X', 'Choose all from the last chosen one on'],
  ['?', 'Show these keys'],
] as const;

/** Clicks the box of a row, as with the pointer. */
const choose = (shiftKey: boolean) => (focused: HTMLElement) => {
  const box = focused.closest('tr')?.querySelector('input');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
};

function openFilters() {
  const summary = document.querySelector<HTMLElement>('.list-tools summary');
  summary?.click();
  summary?.focus();
}

const keys: Keys = {
  ...rowKeys,
  '/': () => document.querySelector<HTMLElement>('input[type=search]')?.focus(),
  f: openFilters,
  x: choose(false),
  X: choose(true),
};

/** The list by keyboard. Without JavaScript there is the Tab key. */
export function ListKeys() {
  const [isShown, setShown] = useState(false);
  useKeys(keys);
  useKeys(useMemo(() => ({ '?': () => setShown(true) }), []));
  if (!isShown) return null;
  return (
    <Dialog title="Keys" onClose={() => setShown(false)} closeHref="/admin-panel/applications">
      <dl className="facts-list">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
