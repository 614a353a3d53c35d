import { useEffect, useState } from 'react';
import { Dialog } from '../../ui/dialog';

const KEYS = [
  ['/', 'Go to the search field'],
  ['f', 'Open the filters'],
  ['j', 'Next application'],
  ['k', 'Previous application'],
  ['x', 'Choose the application'],
  ['X', 'Choose all from the last chosen one on'],
  ['?', 'Show these keys'],
] as const;

/** Moves through the rows; where there is none yet, to the first. */
function move(by: 1 | -1) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** Clicks the box of a row, as with the pointer. */
function choose(target: HTMLElement, shiftKey: boolean) {
  const box = target.closest('tr')?.querySelector('input');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}

function openFilters() {
  const summary = document.querySelector<HTMLElement>('.list-tools summary');
  summary?.click();
  summary?.focus();
}

/** The list by keyboard. Without JavaScript there is the Tab key. */
export function ListKeys() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isTyping = target.closest('input:not([type=checkbox]), select, textarea, dialog') !== null;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus();
      else if (event.key === 'j') move(1);
      else if (event.key === 'k') move(-1);
      else if (event.key === 'f') openFilters();
      else if (event.key.toLowerCase() === 'x') choose(target, event.shiftKey);
      else if (event.key === '?') setShown(true);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
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
