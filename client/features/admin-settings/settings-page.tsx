import type { AdminSettingsProps } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { OfficeList } from '../../ui/office-list';
import { SettingRow } from './setting-row';

/** What the office sets: each on a page of its own. */
export function SettingsPage({ settings, texts, everything, paymentProvider }: AdminSettingsProps) {
  return (
    <div className="stack">
      <h1>Settings</h1>
      <OfficeList label="Settings">
        {settings.map((setting) => (
          <SettingRow key={setting.href} {...setting} />
        ))}
        {texts ? <Texts /> : null}
        {everything ? <MoreSettings /> : null}
      </OfficeList>
      <p>
        {paymentProvider
          ? `Payments by card are taken by ${paymentProvider}.`
          : 'Payments by card are not set up: people pay by transfer, check and invoice. Whoever runs the server sets STRIPE_SECRET_KEY.'}
      </p>
    </div>
  );
}

function Texts() {
  return (
    <>
      <OfficeItem>
        <div>
          <a href="/admin-panel/settings/mails">Emails to applicants</a>
          <p>What they say, in English and Spanish.</p>
        </div>
      </OfficeItem>
      <OfficeItem>
        <div>
          <a href="/admin-panel/settings/letters">Letters</a>
          <p>What they say of an acceptance or a rejection, in English and Spanish.</p>
        </div>
      </OfficeItem>
    </>
  );
}

/** What stands on pages of its own and is for Owners. */
function MoreSettings() {
  return (
    <>
      <OfficeItem>
        <div>
          <a href="/admin-panel/settings/deliveries">Emails and jobs</a>
          <p>What waits to be sent or done, what was sent, and what is tried no more.</p>
        </div>
      </OfficeItem>
      <OfficeItem>
        <div>
          <a href="/admin-panel/settings/form-health">Form health</a>
          <p>Which fields people most often fill in so that they are not taken.</p>
        </div>
      </OfficeItem>
      <OfficeItem>
        <div>
          <a href="/admin-panel/settings/audit">Record</a>
          <p>Who did what, and when.</p>
        </div>
      </OfficeItem>
      <OfficeItem>
        <div>
          <a href="/admin-panel/admins">Second factor for everybody</a>
          <p>Whether everybody in the office must have one. It stands with the list of admins.</p>
        </div>
      </OfficeItem>
    </>
  );
}
