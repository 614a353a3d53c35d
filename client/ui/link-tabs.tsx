import type { ReactNode } from 'react';
import { TabLink, TabsNav } from '../theme/parts/link-tabs';

export interface LinkTab {
  href: string;
  label: ReactNode;
  isCurrent: boolean;
}

/** Tabs that are links, each to its own page; one is current. */
export function LinkTabs({ label, tabs }: { label: string; tabs: LinkTab[] }) {
  return (
    <TabsNav aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <TabLink href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
              {tab.label}
            </TabLink>
          </li>
        ))}
      </ul>
    </TabsNav>
  );
}
