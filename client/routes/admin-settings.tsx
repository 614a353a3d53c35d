import type { Page } from '../api/page.gen';
import { SettingsPage } from '../features/admin-settings/settings-page';

export default function AdminSettings({ page }: { page: Extract<Page, { route: 'adminSettings' }> }) {
  return <SettingsPage {...page.props} />;
}
