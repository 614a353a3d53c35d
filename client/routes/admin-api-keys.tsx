import type { Page } from '../api/page.gen';
import { ApiKeysPage } from '../features/admin-account/api-keys-page';

export default function AdminApiKeys({ page }: { page: Extract<Page, { route: 'adminApiKeys' }> }) {
  return <ApiKeysPage {...page.props} />;
}
