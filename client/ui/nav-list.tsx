import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import type { ReactNode } from 'react';
import { Icon } from './icon';
import type { IconName } from './icon';

export interface NavItem {
  href: string;
  label: ReactNode;
  icon?: IconName;
  isCurrent?: boolean;
}

interface NavListProps {
  items: NavItem[];
  className?: string;
  /** Aligned with the edge of its surroundings. */
  flush?: boolean;
}

/** A list of links to pages. */
export function NavList({ items, className, flush = false }: NavListProps) {
  return (
    <List disablePadding className={className ?? ''}>
      {items.map(({ href, label, icon, isCurrent }) => (
        <ListItem key={href} disablePadding>
          <ListItemButton href={href} disableGutters={flush} aria-current={isCurrent ? 'page' : undefined}>
            {icon ? <Icon name={icon} /> : null}
            {label}
          </ListItemButton>
        </ListItem>
      ))}
    </List>
  );
}
