import MenuItem from '@mui/material/MenuItem';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { t } from '../api/texts';
import { AccountMenuRoot } from '../theme/parts/account-menu';
import type { NavItem } from './nav-list';

export interface AccountMenuProps {
  /** The element it opens below; null while it is closed. */
  anchor: Element | null;
  onClose: () => void;
  /** Accessible name. */
  label: string;
  who: ReactNode;
  items: NavItem[];
  /** Id of the logout form. */
  logout: string;
}

/** The menu of the signed-in user. In its own chunk, fetched when the user is about to open it. */
export function AccountMenu({ anchor, onClose, label, who, items, logout }: AccountMenuProps) {
  // The bar persists across pages: the browser's Back closes the menu too.
  useEffect(() => {
    window.addEventListener('popstate', onClose);
    return () => window.removeEventListener('popstate', onClose);
  });
  return (
    <AccountMenuRoot
      anchorEl={anchor}
      // Rendered in the bar, so that it is inside a landmark.
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
