import type { Page } from '../api/page';
import { AdminLoginPage } from '../features/admin-login/admin-login-page';
import { Layout } from '../ui/layout';

export default function AdminLogin({ page }: { page: Extract<Page, { route: 'adminLogin' }> }) {
  return (
    <Layout page={page}>
      <AdminLoginPage {...page.props} />
    </Layout>
  );
}
