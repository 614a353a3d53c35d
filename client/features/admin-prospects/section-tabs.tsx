import { LinkTabs } from '../../ui/link-tabs';

export const PROSPECTS = '/admin-panel/prospects';
export const OPEN_DAYS = '/admin-panel/open-days';

/** The two lists of those who have not applied yet. */
export function SectionTabs({ open }: { open: typeof PROSPECTS | typeof OPEN_DAYS }) {
  return (
    <LinkTabs
      label="Prospects and open days"
      tabs={[
        { href: PROSPECTS, label: 'Prospects', isCurrent: open === PROSPECTS },
        { href: OPEN_DAYS, label: 'Open days', isCurrent: open === OPEN_DAYS },
      ]}
    />
  );
}
