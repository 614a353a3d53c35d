import type { Page } from '../api/page.gen';
import { BulkPage } from '../features/admin-applications/bulk-page';

export default function AdminBulk({ page }: { page: Extract<Page, { route: 'adminBulk' }> }) {
  return <BulkPage {...page.props} />;
}
