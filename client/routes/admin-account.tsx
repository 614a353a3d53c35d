import type { Page } from '../api/page.gen';
import { AdminAccountPage } from '../features/admin-account/account-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminAccount({ page }: { page: Extract<Page, { route: 'adminAccount' }> }) {
  return (
    <OfficeLayout page={page}>
      <AdminAccountPage {...page.props} />
    </OfficeLayout>
  );
}
