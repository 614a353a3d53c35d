import type { Page } from '../api/page.gen';
import { AdminPage } from '../features/admin-staff/admin-page';

export default function AdminAdmin({ page }: { page: Extract<Page, { route: 'adminAdmin' }> }) {
  return <AdminPage {...page.props} />;
}
