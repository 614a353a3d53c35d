import type { ReactNode } from 'react';
import { SideBar, SideNav, SideToggle } from '../theme/parts/side-menu';
import { Icon } from './icon';
import { NavList } from './nav-list';
import type { NavItem } from './nav-list';

interface SideMenuProps {
  /** Accessible name. */
  label: string;
  items: NavItem[];
  /** Content below the items. */
  children: ReactNode;
}

/** The bar with the menu's button on phones. */
export function MenuBar() {
  return (
    <SideBar className="drawer-bar">
      <SideToggle variant="text" type="button" popoverTarget="drawer">
        <Icon name="menu" />
        Menu
      </SideToggle>
    </SideBar>
  );
}

/** Beside the content if there is room; on phones behind the button of the `MenuBar`. */
export function SideMenu({ label, items, children }: SideMenuProps) {
  return (
    <SideNav className="drawer" id="drawer" popover="auto" aria-label={label}>
      <SideToggle variant="text" type="button" popoverTarget="drawer" popoverTargetAction="hide">
        <Icon name="close" />
        Close
      </SideToggle>
      <NavList items={items} />
      {children}
    </SideNav>
  );
}
