import type { ListTab } from '../api/page.gen';
import { LinkTabs } from './link-tabs';

/** Tabs of a list, each with how much is in it. */
export function CountedTabs({ label, tabs }: { label: string; tabs: ListTab[] }) {
  return (
    <LinkTabs
      label={label}
      tabs={tabs.map(({ href, label: name, count, current }) => ({
        href,
        label: (
          <>
            {name} <span className="list-count">{count}</span>
          </>
        ),
        isCurrent: current,
      }))}
    />
  );
}
