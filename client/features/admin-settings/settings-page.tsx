import type { AdminSettingsProps } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { OfficeList } from '../../ui/office-list';
import { SettingRow } from './setting-row';

/** The office's settings, each with its own page. */
export function SettingsPage({ groups, search, paymentProvider }: AdminSettingsProps) {
  return (
    <div className="stack">
      <h1>Settings</h1>
      <form className="list-row" role="search" action="/admin-panel/settings" noValidate>
        <TextField
          label="Search the settings"
          name="q"
          type="search"
          // Makes the field show the current search, also after going back.
          key={search}
          defaultValue={search}
          autoComplete="off"
        />
        <Button variant="secondary">Search</Button>
      </form>
      {groups.map(({ title, rows }) => (
        <section key={title} className="stack-small" aria-labelledby={`g-${rows[0]?.href ?? ''}`}>
          <h2 id={`g-${rows[0]?.href ?? ''}`}>{title}</h2>
          <OfficeList label={title}>
            {rows.map((row) => (
              <SettingRow key={row.href} {...row} />
            ))}
          </OfficeList>
        </section>
      ))}
      {groups.length === 0 ? (
        <p role="status">
          No setting has “{search}” in its name or its fields.{' '}
          <a href="/admin-panel/settings">Show all settings</a>
        </p>
      ) : null}
      <p>
        {paymentProvider
          ? `Payments by card are taken by ${paymentProvider}.`
          : 'Payments by card are not set up: people pay by transfer, check and invoice. Whoever runs the server sets STRIPE_SECRET_KEY.'}
      </p>
    </div>
  );
}
