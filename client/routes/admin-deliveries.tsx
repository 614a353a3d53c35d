import type { Page } from '../api/page.gen';
import { DeliveriesPage } from '../features/admin-settings/deliveries-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminDeliveries({ page }: { page: Extract<Page, { route: 'adminDeliveries' }> }) {
  return (
    <OfficeLayout page={page}>
      <DeliveriesPage {...page.props} />
    </OfficeLayout>
  );
}
