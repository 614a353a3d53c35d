import type { AdminTextsProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { OfficeList } from '../../ui/office-list';
import { SettingRow } from './setting-row';

/** The mails or letters to applicants: those with a page to edit them, and those that are fixed. */
export function TextsPage({ title, intro, texts, fixed }: AdminTextsProps) {
  return (
    <div className="stack office-sections">
      <BackLink href="/admin-panel/settings">All settings</BackLink>
      <h1>{title}</h1>
      <p>{intro}</p>
      <OfficeList label={title}>
        {texts.map((text) => (
          <SettingRow key={text.href} {...text} />
        ))}
      </OfficeList>
      {fixed.length > 0 ? (
        <section className="stack-small" aria-labelledby="fixed-heading">
          <h2 id="fixed-heading">Fixed</h2>
          <p>These cannot be changed here; a wrong word in most of them could cost somebody their account.</p>
          <ul>
            {fixed.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}
