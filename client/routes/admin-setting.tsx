import type { Page } from '../api/page.gen';
import { SettingPage } from '../features/admin-settings/setting-page';

export default function AdminSetting({ page }: { page: Extract<Page, { route: 'adminSetting' }> }) {
  return <SettingPage {...page.props} />;
}
