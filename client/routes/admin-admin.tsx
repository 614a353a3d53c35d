import type { Page } from '../api/page.gen';
import { AdminPage } from '../features/admin-staff/admin-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminAdmin({ page }: { page: Extract<Page, { route: 'adminAdmin' }> }) {
  return (
    <OfficeLayout page={page}>
      <AdminPage {...page.props} />
    </OfficeLayout>
  );
}
