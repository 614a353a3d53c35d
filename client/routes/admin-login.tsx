import type { Page } from '../api/page.gen';
import { AdminLoginPage } from '../features/admin-login/admin-login-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminLogin({ page }: { page: Extract<Page, { route: 'adminLogin' }> }) {
  return (
    <OfficeLayout page={page} bare>
      <AdminLoginPage {...page.props} />
    </OfficeLayout>
  );
}
