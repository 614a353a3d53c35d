import type { Page } from '../api/page.gen';
import { DeliveriesPage } from '../features/admin-settings/deliveries-page';

export default function AdminDeliveries({ page }: { page: Extract<Page, { route: 'adminDeliveries' }> }) {
  return <DeliveriesPage {...page.props} />;
}
