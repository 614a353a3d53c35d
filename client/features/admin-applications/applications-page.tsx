import { useEffect, useMemo, useRef } from 'react';
import type { AdminApplicationsProps } from '../../api/page.gen';
import { CountedTabs } from '../../ui/counted-tabs';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { useKeys } from '../../ui/office-offers';
import { Pages } from '../../ui/pages';
import { ToolMenu } from '../../ui/tool-menu';
import { ApplicationTable } from './application-table';
import { BulkPanel } from './bulk-panel';
import { LayoutContext } from './layout';
import { listKeys } from './list-keys';
import { DeletingView, SavedViews } from './saved-views';
import { SidePanel, useSidePanel } from './use-side-panel';
import { useLayout } from './use-layout';
import { ViewForm } from './view-form';

/** The list of applications: two toolbars and the table. */
export function ApplicationsPage(props: AdminApplicationsProps) {
  const { tabs, active, countText, rows, previousHref, nextHref, clearHref, exports, work, bulk, form } =
    props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  const panel = useSidePanel(rows);
  useKeys(listKeys);
  const showLayout = useLayout(props);
  // There may be more tabs than fit.
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <LayoutContext value={showLayout}>
      <div className="list-page">
        <div className="list-top" ref={top}>
          <h1>Applications</h1>
          <CountedTabs label="Tabs" tabs={[...tabs, ...viewTabs(props.views)]} />
          <div className="list-links">
            {work ? <a href={work.href}>{work.label}</a> : null}
            <a href="/admin-panel/applications/figures">Figures</a>
            {props.mayImport ? <a href="/admin-panel/imports">Import</a> : null}
            {rows.length > 0 && exports.length > 0 ? (
              <ToolMenu icon="down" label="Export" place="end">
                <ul className="list-menu">
                  {exports.map(({ label, href }) => (
                    <li key={label}>
                      <a href={href} data-document>
                        {label}
                      </a>
                    </li>
                  ))}
                </ul>
              </ToolMenu>
            ) : null}
          </div>
        </div>
        <div className="list-notes stack">
          <FormOutcome errors={errors} message={form.message} />
          {bulk ? <BulkPanel bulk={bulk} here={props.here} /> : null}
          <DeletingView views={props.views} here={props.here} />
        </div>
        <ViewForm {...props} />
        <SavedViews views={props.views} here={props.here} form={form} />
        <p className="list-told" role="status">
          {countText}
        </p>
        <div className="list-body">
          {rows.length > 0 ? (
            <ApplicationTable {...props} panel={panel} />
          ) : (
            <EmptyList
              narrowed={active.length > 0 || props.values['q'] !== undefined}
              clearHref={clearHref}
            />
          )}
          {panel.row ? (
            <SidePanel
              row={panel.row}
              href={`/admin-panel/applications/${panel.row.id}${props.rowQuery}`}
              isBeside={panel.isBeside}
              onClose={panel.close}
              onKey={panel.onKey}
            />
          ) : null}
        </div>
        <Pages
          label="Pages"
          steps={[
            { href: previousHref, label: 'Previous page', way: 'prev' },
            { href: nextHref, label: 'Next page', way: 'next' },
          ]}
        />
      </div>
    </LayoutContext>
  );
}

/** The saved views that have a tab. */
function viewTabs({ all }: AdminApplicationsProps['views']) {
  return all.flatMap(({ name, href, count, current }) =>
    count === null ? [] : [{ label: name, href, count, current, icon: 'star' as const }],
  );
}

function EmptyList({ narrowed, clearHref }: { narrowed: boolean; clearHref: string }) {
  return (
    <p className="list-rows list-empty">
      {narrowed ? (
        <>
          No application is like that. <a href={clearHref}>Show all of this tab</a>, or change the filters.
        </>
      ) : (
        'Nothing is here now. Applications appear as soon as somebody submits one.'
      )}
    </p>
  );
}
