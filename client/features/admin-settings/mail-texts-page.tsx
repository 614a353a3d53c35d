import type { AdminMailTextsProps } from '../../api/office';
import { BackLink } from '../../ui/back-link';
import { SettingRow } from './setting-row';

/** The mails to applicants: each with a page of its own, and those that stay as they are. */
export function MailTextsPage({ mails, fixed }: AdminMailTextsProps) {
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/settings">All settings</BackLink>
      <h1>Emails to applicants</h1>
      <p>Every email ends with our name and address. What you change is in the next email that is written.</p>
      <ul className="office-list" aria-label="Emails">
        {mails.map((mail) => (
          <SettingRow key={mail.href} {...mail} />
        ))}
      </ul>
      <section className="stack-small" aria-labelledby="fixed-heading">
        <h2 id="fixed-heading">Fixed</h2>
        <p>These cannot be changed here; a wrong word in most of them could cost somebody their account.</p>
        <ul>
          {fixed.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}
