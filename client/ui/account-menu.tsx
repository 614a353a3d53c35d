import MenuItem from '@mui/material/MenuItem';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { t } from '../api/texts';
import { AccountMenuRoot } from '../theme/parts/account-menu';
import type { NavItem } from './nav-list';

export interface AccountMenuProps {
  /** Below what it opens; null while it is closed. */
  anchor: Element | null;
  onClose: () => void;
  /** Names it. */
  label: string;
  who: ReactNode;
  items: NavItem[];
  /** The id of the form that logs out. */
  logout: string;
}

/** The menu of who is signed in. A chunk of its own: it is fetched when somebody is about to open it. */
export function AccountMenu({ anchor, onClose, label, who, items, logout }: AccountMenuProps) {
  // The bar stays while pages change: the browser's Back leaves the menu's page too.
  useEffect(() => {
    window.addEventListener('popstate', onClose);
    return () => window.removeEventListener('popstate', onClose);
  });
  return (
    <AccountMenuRoot
      anchorEl={anchor}
      // In the bar, so that it is in a landmark.
      container={anchor?.closest('header') ?? null}
      open={anchor !== null}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      transitionDuration={120}
      slotProps={{ list: { 'aria-label': label } }}
    >
      <li role="none" className="who">
        {who}
      </li>
      {items.map((item) => (
        <MenuItem
          key={item.href}
          component="a"
          href={item.href}
          aria-current={item.isCurrent ? 'page' : undefined}
          onClick={onClose}
        >
          {item.label}
        </MenuItem>
      ))}
      <MenuItem component="button" type="submit" form={logout}>
        {t('Log out')}
      </MenuItem>
    </AccountMenuRoot>
  );
}
