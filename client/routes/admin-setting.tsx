import type { Page } from '../api/page.gen';
import { SettingPage } from '../features/admin-settings/setting-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminSetting({ page }: { page: Extract<Page, { route: 'adminSetting' }> }) {
  return (
    <OfficeLayout page={page}>
      <SettingPage {...page.props} />
    </OfficeLayout>
  );
}
