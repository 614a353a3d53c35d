import ButtonBase from '@mui/material/ButtonBase';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { OfficeInfo } from '../api/page.gen';
import { LOGOUT_ID } from './bar-menu';
import { Icon } from './icon';
import { ACCOUNT, items } from './office-frame';
import type { KeySheetProps } from './office-key-sheet';
import { goToNextTask, WORK } from './office-next-task';
import { isApple, offeredCommands, offeredKeys, useKeys } from './office-offers';
import type { Command, CommandGroup, Key, KeyGroup } from './office-offers';
import type { PaletteProps } from './office-palette';
import { part } from './part';
import { useHydrated } from './use-hydrated';

const Palette = part<PaletteProps>(async () => (await import('./office-palette')).Palette);
const KeySheet = part<KeySheetProps>(async () => (await import('./office-key-sheet')).KeySheet);

/** Fetches the palette early. A failure shows when the key opens nothing. */
const prepare = () => void Palette.load().catch(() => undefined);

const LIST = '/admin-panel/applications';
const EVERYWHERE = 'Everywhere';
const GO_TO = 'Go to';
const OPEN = 'Ctrl K';

interface CommandsProps {
  /** The pages that the role may see. */
  menu: OfficeInfo['menu'];
  /** E-mail address of the signed-in user. */
  email: string;
}

/** The command palette and the sheet of keyboard shortcuts, with a visible button for the palette. */
export function Commands({ menu, email }: CommandsProps) {
  const [shown, setShown] = useState<'keys' | CommandGroup[]>();
  const isHydrated = useHydrated();
  const navigate = useNavigate();
  const { keys, ways, open, follow } = useMemo(() => {
    const goTo = (href: string) => void navigate(href);
    const showKeys = () =>
      void KeySheet.load().then(
        () => setShown('keys'),
        () => undefined,
      );
    const groups = () => [...offeredCommands(), ...general(menu, showKeys)];
    const show = () =>
      void Palette.load().then(
        () => setShown(groups()),
        () => undefined,
      );
    /** Toggles the palette, unless a dialog of the page is open. */
    const toggle = () => {
      if (document.querySelector('.palette')) setShown(undefined);
      else if (!document.querySelector(':modal')) show();
    };
    return { keys: keysOf(menu, toggle, showKeys), ways: waysOf(menu, goTo), open: show, follow: goTo };
  }, [menu, navigate]);
  useKeys(keys, EVERYWHERE);
  useKeys(ways, GO_TO);

  useEffect(() => {
    // A user holding Ctrl is about to press K.
    const hint = ({ key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Meta') prepare();
    };
    document.addEventListener('keydown', hint);
    return () => document.removeEventListener('keydown', hint);
  }, []);

  const close = () => setShown(undefined);
  return (
    <>
      {isHydrated ? (
        <ButtonBase
          className="palette-way"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={open}
          onFocus={prepare}
          onPointerEnter={prepare}
        >
          <Icon name="search" />
          <span>Search or go to…</span>
          <kbd aria-hidden="true">{isApple() ? '⌘ K' : OPEN}</kbd>
        </ButtonBase>
      ) : null}
      {shown === 'keys' ? <KeySheet groups={inOrder()} onClose={close} /> : null}
      {shown !== undefined && shown !== 'keys' ? (
        <Palette
          groups={shown}
          list={menu.includes(LIST) ? LIST : undefined}
          email={email}
          onGo={follow}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** Global keys come first, and those for pages last. */
function inOrder() {
  const rank = ({ heading }: KeyGroup) => Number(heading === GO_TO) - Number(heading === EVERYWHERE);
  return offeredKeys().toSorted((a, b) => rank(a) - rank(b));
}

function keysOf(menu: OfficeInfo['menu'], toggle: () => void, showKeys: () => void): Key[] {
  const keys: Key[] = [
    { press: OPEN, does: 'Search, go to a page, or do something', act: toggle },
    { press: '?', does: 'Show the keys', act: showKeys },
  ];
  if (menu.includes(WORK)) keys.push({ press: 'n', does: 'Next task', act: goToNextTask });
  return keys;
}

const waysOf = (menu: OfficeInfo['menu'], goTo: (href: string) => void): Key[] =>
  ([...menu, ACCOUNT] as const).map((href) => ({
    press: `g ${items[href].letter}`,
    does: items[href].label,
    act: () => goTo(href),
  }));

/** Commands available on every page. */
function general(menu: OfficeInfo['menu'], showKeys: () => void): CommandGroup[] {
  const pages = ([...menu, ACCOUNT] as const).flatMap((href): Command[] => {
    const { label, icon, letter } = items[href];
    const page: Command = { label, icon, run: href, press: `g ${letter}` };
    return href === LIST ? [page, ...LISTS] : [page];
  });
  const { theme } = document.documentElement.dataset;
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  const next = isDark ? 'light' : 'dark';
  const acts: Command[] = [
    { label: 'Show the keys', icon: 'list', run: showKeys, press: '?' },
    {
      label: `Switch to the ${next} theme`,
      icon: isDark ? 'sun' : 'moon',
      run: () => document.querySelector<HTMLElement>(`#theme [value=${next}]`)?.click(),
    },
    {
      label: 'Log out',
      icon: 'arrow',
      run: () => (document.getElementById(LOGOUT_ID) as HTMLFormElement | null)?.requestSubmit(),
    },
  ];
  if (menu.includes(WORK)) acts.unshift({ label: 'Next task', icon: 'inbox', run: goToNextTask, press: 'n' });
  return [
    { heading: 'Pages', items: pages },
    { heading: 'Actions', items: acts },
  ];
}

/** Pages below the list, for everybody who may see it. */
const LISTS: Command[] = [
  { label: 'All applications', icon: 'file', run: `${LIST}?tab=all` },
  { label: 'Figures of applications', icon: 'file', run: `${LIST}/figures` },
];
