import type { ListTab } from '../api/page.gen';
import { Icon } from './icon';
import type { IconName } from './icon';
import { LinkTabs } from './link-tabs';

type CountedTab = ListTab & { icon?: IconName };

/** Tabs of a list, each with the number of its items. */
export function CountedTabs({ label, tabs }: { label: string; tabs: CountedTab[] }) {
  return (
    <LinkTabs
      label={label}
      tabs={tabs.map(({ href, label: name, count, current, icon }) => ({
        href,
        label: (
          <>
            {icon ? <Icon name={icon} /> : null}
            {name} <span className="list-count">{count}</span>
          </>
        ),
        isCurrent: current,
      }))}
    />
  );
}
