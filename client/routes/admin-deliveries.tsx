import type { Page } from '../api/page.gen';
import { DeliveriesPage } from '../features/admin-settings/deliveries-page';
import { WebhookPage } from '../features/admin-settings/webhook-page';
import { WebhooksPage } from '../features/admin-settings/webhooks-page';

type DeliveryScreen = Extract<Page, { route: 'adminDeliveries' | 'adminWebhooks' | 'adminWebhook' }>;

/** What is delivered, by mail and by webhook: one file, because applicants, too, load the name of each. */
export default function AdminDeliveries({ page }: { page: DeliveryScreen }) {
  if (page.route === 'adminDeliveries') return <DeliveriesPage {...page.props} />;
  return page.route === 'adminWebhook' ? <WebhookPage {...page.props} /> : <WebhooksPage {...page.props} />;
}
