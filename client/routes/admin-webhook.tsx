import type { Page } from '../api/page.gen';
import { WebhookPage } from '../features/admin-settings/webhook-page';

export default function AdminWebhook({ page }: { page: Extract<Page, { route: 'adminWebhook' }> }) {
  return <WebhookPage {...page.props} />;
}
