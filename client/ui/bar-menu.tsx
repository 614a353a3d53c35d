import { useRef, useState } from 'react';
import type { FocusEvent, MouseEvent, ReactNode } from 'react';
import { ViewerDetails, ViewerPanel, ViewerSummary } from '../theme/parts/viewer-menu';
import type { AccountMenuProps } from './account-menu';
import { Icon } from './icon';
import { NavList } from './nav-list';
import type { NavItem } from './nav-list';
import { part } from './part';
import { useHydrated } from './use-hydrated';

const AccountMenu = part<AccountMenuProps>(async () => (await import('./account-menu')).AccountMenu);

/** Fetches it early. The click tells when that fails. */
const prepare = () => void AccountMenu.load().catch(() => undefined);

/** A menu that is left closes, as people expect of one. */
function closeWhenLeft(event: FocusEvent<HTMLDetailsElement>) {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}

/** The form of the way out, which the menu sends too. */
export const LOGOUT_ID = 'logout';

interface BarMenuProps {
  className?: string;
  /** Names it. */
  label: string;
  /** What opens it. */
  button: ReactNode;
  who: ReactNode;
  items: NavItem[];
  /** The form with the id `LOGOUT_ID`. */
  logout: ReactNode;
}

/**
 * A menu in the bar. Material UI's Menu opens by a script; as long as there is none, or its chunk cannot be fetched, the browser's own
 * disclosure does.
 */
export function BarMenu({ className, label, button, who, items, logout }: BarMenuProps) {
  const root = useRef<HTMLDetailsElement>(null);
  const [anchor, setAnchor] = useState<Element | null>(null);
  const isHydrated = useHydrated();

  async function open(event: MouseEvent<HTMLElement>) {
    if (root.current?.open) return;
    event.preventDefault();
    const summary = event.currentTarget;
    try {
      await AccountMenu.load();
      setAnchor(summary);
    } catch {
      if (root.current) root.current.open = true;
    }
  }

  return (
    <>
      <ViewerDetails className={className} ref={root} onBlur={closeWhenLeft}>
        <ViewerSummary
          aria-haspopup={isHydrated ? 'menu' : undefined}
          onClick={(event) => void open(event)}
          onFocus={prepare}
          onPointerEnter={prepare}
        >
          {button}
          <Icon name="chevron" />
        </ViewerSummary>
        <ViewerPanel className="viewer-panel" tabIndex={-1}>
          {who}
          <NavList items={items} />
          {logout}
        </ViewerPanel>
      </ViewerDetails>
      {anchor ? (
        <AccountMenu
          anchor={anchor}
          onClose={() => setAnchor(null)}
          label={label}
          who={who}
          items={items}
          logout={LOGOUT_ID}
        />
      ) : null}
    </>
  );
}
