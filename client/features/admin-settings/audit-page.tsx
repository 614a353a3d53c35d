import { useMemo } from 'react';
import type { AdminAuditProps } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { TextField } from '../../ui/field';
import { OfficeList } from '../../ui/office-list';
import { Pages } from '../../ui/pages';

const PATH = '/admin-panel/settings/audit';

/** The record of who did what. The address is the search. */
export function AuditPage({ rows, nextHref, form }: AdminAuditProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const field = (name: string) => ({
    name,
    error: form.errors[name],
    defaultValue: String(form.values[name] ?? ''),
  });
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/settings">All settings</BackLink>
      <h1>Record</h1>
      <ErrorSummary errors={errors} />
      <form className="list-view" method="get" action={PATH} role="search" noValidate key={PATH}>
        <div className="list-filters">
          <TextField {...field('person')} label="Person" hint="An email address." autoComplete="off" />
          <TextField {...field('application')} label="Application" hint="A reference number." />
          <TextField {...field('action')} label="Act" hint="Or how it begins: staff." />
          <TextField {...field('from')} label="From" type="date" />
          <TextField {...field('until')} label="Until" type="date" />
          <Button>Search</Button>
        </div>
      </form>
      {rows.length > 0 ? (
        <OfficeList wide label="Record">
          {rows.map((row) => (
            <OfficeItem key={row.id}>
              <div>
                <strong>{row.words}</strong>{' '}
                {row.subjectHref ? <a href={row.subjectHref}>{row.subject}</a> : row.subject}
                <p className="small">
                  {row.atText} · {row.actor} · <code>{row.action}</code>
                </p>
                {row.detail ? <p className="small">{row.detail}</p> : null}
              </div>
            </OfficeItem>
          ))}
        </OfficeList>
      ) : (
        <p>Nothing in the record is like that.</p>
      )}
      <Pages label="Pages" steps={[{ href: nextHref, label: 'Older', way: 'next' }]} />
    </div>
  );
}
