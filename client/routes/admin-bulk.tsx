import type { Page } from '../api/page.gen';
import { BulkPage } from '../features/admin-applications/bulk-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminBulk({ page }: { page: Extract<Page, { route: 'adminBulk' }> }) {
  return (
    <OfficeLayout page={page}>
      <BulkPage {...page.props} />
    </OfficeLayout>
  );
}
