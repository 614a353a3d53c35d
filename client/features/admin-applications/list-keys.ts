import { rowKeys } from '../../ui/office-offers';
import type { Key } from '../../ui/office-offers';

/** Clicks a row's checkbox, as the pointer would. */
const choose = (shiftKey: boolean) => (focused: HTMLElement) => {
  const box = focused.closest('tr')?.querySelector('input');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
};

function openFilters() {
  const summary = document.querySelector<HTMLElement>('.list-tools summary');
  summary?.click();
  summary?.focus();
}

/** Keyboard shortcuts of the list. Without JavaScript there is the Tab key. */
export const listKeys: Key[] = [
  {
    press: '/',
    does: 'Go to the search field',
    act: () => document.querySelector<HTMLElement>('input[type=search]')?.focus(),
  },
  { press: 'f', does: 'Open the filters', act: openFilters },
  ...rowKeys('application'),
  { press: 'x', does: 'Choose the application', act: choose(false) },
  { press: 'X', does: 'Choose all from the last chosen one on', act: choose(true) },
];
