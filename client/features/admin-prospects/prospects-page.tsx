import { useMemo } from 'react';
import type { AdminProspectsProps, DeletedProspect, ProspectRow } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Icon } from '../../ui/icon';
import { Pages } from '../../ui/pages';
import { Table } from '../../ui/table';
import { Tag } from '../../ui/tag';
import { PROSPECTS, SectionTabs } from './section-tabs';

/** Those who have asked for news or the brochure. The address is the search. */
export function ProspectsPage(props: AdminProspectsProps) {
  const { counts, rows, here, clearHref, firstHref, nextHref, csvHref, deleting, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="list-page prospects">
      <div className="list-top">
        <h1>Prospects</h1>
        <SectionTabs open={PROSPECTS} />
        <dl className="prospect-counts">
          {counts.map(([label, count]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{count.toLocaleString('en-US')}</dd>
            </div>
          ))}
        </dl>
        <div className="list-links">
          {rows.length > 0 ? (
            <a href={csvHref} data-document>
              Save as CSV
            </a>
          ) : null}
        </div>
      </div>
      <div className="list-notes stack">
        <FormOutcome errors={errors} message={form.message} />
        {deleting ? <Deleting {...deleting} here={here} /> : null}
      </div>
      <Search {...props} />
      <div className="list-body">
        {rows.length > 0 ? (
          <Rows rows={rows} />
        ) : (
          <p className="list-rows list-empty">
            {clearHref ? (
              <>
                No prospect is like that. <a href={clearHref}>Show all</a>, or change the filters.
              </>
            ) : (
              'Nobody has asked yet. The form is near the end of each program’s page.'
            )}
          </p>
        )}
      </div>
      <Pages
        label="Pages"
        steps={[
          { href: firstHref, label: 'First page', way: 'prev' },
          { href: nextHref, label: 'Next page', way: 'next' },
        ]}
      />
    </div>
  );
}

function Search({ filters, clearHref, form }: AdminProspectsProps) {
  const value = (name: string) => String(form.values[name] ?? '');
  return (
    <form className="list-tools" method="get" action={PROSPECTS} role="search" noValidate>
      <div className="list-find">
        <Icon name="search" />
        <TextField
          label={<span className="visually-hidden">Search</span>}
          name="search"
          type="search"
          placeholder="Email or name"
          autoComplete="off"
          error={form.errors['search']}
          defaultValue={value('search')}
        />
      </div>
      {filters.map(({ name, label, options }) => (
        <SelectField
          key={name}
          label={<span className="visually-hidden">{label}</span>}
          name={name}
          options={options}
          error={form.errors[name]}
          defaultValue={value(name)}
        />
      ))}
      <Button variant="secondary">Show</Button>
      {clearHref ? <a href={clearHref}>Clear</a> : null}
    </form>
  );
}

/** Asks for confirmation before a prospect is deleted. */
function Deleting({ id, email, backHref, here }: DeletedProspect & { here: string }) {
  return (
    <form
      className="list-asked"
      id="delete"
      method="post"
      action={PROSPECTS}
      aria-labelledby="delete-heading"
      tabIndex={-1}
    >
      <h2 id="delete-heading">Delete {email}?</h2>
      <p>
        We delete the address and will not write to it again. An account and bookings of open days stay as
        they are.
      </p>
      <input type="hidden" name="here" value={here} />
      <input type="hidden" name="id" value={id} />
      <div className="row">
        <Button name="_action" value="delete">
          Delete
        </Button>
        <ButtonLink variant="quiet" href={backHref}>
          Keep
        </ButtonLink>
      </div>
    </form>
  );
}

const shapes = { waiting: 'clock', confirmed: 'check', applicant: 'person' } as const;

function Rows({ rows }: { rows: ProspectRow[] }) {
  return (
    <Table label="Prospects" className="list-rows list-table">
      <thead>
        <tr>
          <th scope="col" className="list-name">
            Email
          </th>
          <th scope="col">First name</th>
          <th scope="col">Program</th>
          <th scope="col">Wants</th>
          <th scope="col">State</th>
          <th scope="col">Asked</th>
          <th scope="col">
            <span className="visually-hidden">Delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} {...row} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ email, firstName, program, wantsText, state, stateText, askedText, ...row }: ProspectRow) {
  return (
    <tr>
      <th scope="row" className="list-name" title={email}>
        {email}
      </th>
      <td data-label="First name" className={firstName ? undefined : 'nothing'}>
        {firstName || '–'}
      </td>
      <td data-label="Program">{program}</td>
      <td data-label="Wants">{wantsText}</td>
      <td data-label="State">
        <Tag shape={shapes[state]}>
          {row.applicationHref ? <a href={row.applicationHref}>{stateText}</a> : stateText}
        </Tag>
      </td>
      <td data-label="Asked">{askedText}</td>
      <td>
        <a href={row.deleteHref} title="Delete">
          <Icon name="trash" />
          <span className="visually-hidden">Delete {email}</span>
        </a>
      </td>
    </tr>
  );
}
