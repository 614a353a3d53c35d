import type { Page } from '../api/page.gen';
import { SettingsPage } from '../features/admin-settings/settings-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminSettings({ page }: { page: Extract<Page, { route: 'adminSettings' }> }) {
  return (
    <OfficeLayout page={page}>
      <SettingsPage {...page.props} />
    </OfficeLayout>
  );
}
