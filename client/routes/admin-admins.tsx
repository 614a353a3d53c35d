import type { Page } from '../api/page.gen';
import { AdminsPage } from '../features/admin-staff/admins-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminAdmins({ page }: { page: Extract<Page, { route: 'adminAdmins' }> }) {
  return (
    <OfficeLayout page={page}>
      <AdminsPage {...page.props} />
    </OfficeLayout>
  );
}
