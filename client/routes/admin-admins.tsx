import type { Page } from '../api/page.gen';
import { AdminsPage } from '../features/admin-staff/admins-page';

export default function AdminAdmins({ page }: { page: Extract<Page, { route: 'adminAdmins' }> }) {
  return <AdminsPage {...page.props} />;
}
