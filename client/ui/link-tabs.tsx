import ButtonBase from '@mui/material/ButtonBase';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

// Material UI's Tabs measure themselves in a browser and set a style; these are links, each to a page of its own.
const Root = styled('nav')({
  '& ul': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0 1.5rem',
    margin: 0,
    padding: 0,
    borderBlockEnd: '1px solid var(--palette-divider)',
    listStyle: 'none',
  },
});

const Tab = styled(ButtonBase)({
  gap: '0.375rem',
  minHeight: '2.75rem',
  borderBlock: '3px solid transparent',
  color: 'var(--palette-text-primary)',
  font: '600 1rem/1.25 var(--sans)',
  '&:hover': { color: 'var(--palette-accent)' },
  '&[aria-current]': { borderBlockEndColor: 'var(--palette-accent)', color: 'var(--palette-heading)' },
  '@media (forced-colors: active)': { '&[aria-current]': { borderBlockEndColor: 'Highlight' } },
}) as typeof ButtonBase;

export interface LinkTab {
  href: string;
  label: ReactNode;
  isCurrent: boolean;
}

/** Parts of one thing, each a page of its own, of which one is open. */
export function LinkTabs({ label, tabs }: { label: string; tabs: LinkTab[] }) {
  return (
    <Root aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Tab href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
              {tab.label}
            </Tab>
          </li>
        ))}
      </ul>
    </Root>
  );
}
