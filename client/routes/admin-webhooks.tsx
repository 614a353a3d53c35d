import type { Page } from '../api/page.gen';
import { WebhooksPage } from '../features/admin-settings/webhooks-page';

export default function AdminWebhooks({ page }: { page: Extract<Page, { route: 'adminWebhooks' }> }) {
  return <WebhooksPage {...page.props} />;
}
