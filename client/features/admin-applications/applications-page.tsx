import { useMemo } from 'react';
import type { AdminApplicationsProps } from '../../api/page.gen';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { LinkTabs } from '../../ui/link-tabs';
import { Pages } from '../../ui/pages';
import { ApplicationTable } from './application-table';
import { BulkPanel } from './bulk-panel';
import { FilterChip } from './filter-chip';
import { ListKeys } from './list-keys';
import { SavedViews } from './saved-views';
import { ViewForm } from './view-form';

/** The list of applications: tabs, search and filters, the table, and what can be done with several of them. */
export function ApplicationsPage(props: AdminApplicationsProps) {
  const { tabs, active, countText, rows, previousHref, nextHref, clearHref, exports, work, bulk, form } =
    props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="stack office-sections">
      <h1>Applications</h1>
      <FormOutcome errors={errors} message={form.message} />
      {bulk ? <BulkPanel bulk={bulk} here={props.here} /> : null}
      <SavedViews views={props.views} here={props.here} form={form} />
      <LinkTabs
        label="Tabs"
        tabs={tabs.map(({ href, label, count, current }) => ({
          href,
          label: (
            <>
              {label} <span className="list-count">{count}</span>
            </>
          ),
          isCurrent: current,
        }))}
      />
      <ViewForm {...props} />
      {active.length > 0 ? (
        <ul className="list-active" aria-label="Filters that are on">
          {active.map((filter) => (
            <li key={filter.label}>
              <FilterChip href={filter.href}>{filter.label}</FilterChip>
            </li>
          ))}
          <li>
            <a href={clearHref}>Clear all</a>
          </li>
        </ul>
      ) : null}
      <div className="list-head">
        <p role="status">{countText}</p>
        <ListKeys />
        <p className="list-links">
          {work ? <a href={work.href}>{work.label}</a> : null}
          <a href="/admin-panel/applications/figures">Figures</a>
          {rows.length > 0
            ? exports.map(({ label, href }) => (
                <a key={label} href={href} data-document>
                  {label}
                </a>
              ))
            : null}
        </p>
      </div>
      {rows.length > 0 ? (
        <ApplicationTable {...props} />
      ) : (
        <EmptyList narrowed={active.length > 0} clearHref={clearHref} />
      )}
      <Pages
        label="Pages"
        steps={[
          { href: previousHref, label: 'Previous page', way: 'prev' },
          { href: nextHref, label: 'Next page', way: 'next' },
        ]}
      />
    </div>
  );
}

function EmptyList({ narrowed, clearHref }: { narrowed: boolean; clearHref: string }) {
  return narrowed ? (
    <p>
      No application is like that. <a href={clearHref}>Show all of this tab</a>, or change the filters.
    </p>
  ) : (
    <p>Nothing is here now. Applications appear as soon as somebody submits one.</p>
  );
}
