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

/** Fetches the menu early. The click reports a failure. */
const prepare = () => void AccountMenu.load().catch(() => undefined);

/** Closes the menu when the focus leaves it, as users expect. */
function closeWhenLeft(event: FocusEvent<HTMLDetailsElement>) {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}

/** Id of the logout form, which the menu submits too. */
export const LOGOUT_ID = 'logout';

interface BarMenuProps {
  className?: string;
  /** Accessible name. */
  label: string;
  /** Content of the button that opens it. */
  button: ReactNode;
  who: ReactNode;
  items: NavItem[];
  /** The form with id `LOGOUT_ID`. */
  logout: ReactNode;
}

/**
 * A menu in the bar. Material UI's Menu needs a script to open; without JavaScript, or if its chunk cannot be fetched,
 * the native disclosure takes over.
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
