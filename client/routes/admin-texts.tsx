import type { Page } from '../api/page.gen';
import { TextsPage } from '../features/admin-settings/texts-page';

export default function AdminTexts({ page }: { page: Extract<Page, { route: 'adminTexts' }> }) {
  return <TextsPage {...page.props} />;
}
