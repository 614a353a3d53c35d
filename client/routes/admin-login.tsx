import type { Page } from '../api/page.gen';
import { AdminLoginPage } from '../features/admin-login/admin-login-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ bare: true });

export default function AdminLogin({ page }: { page: Extract<Page, { route: 'adminLogin' }> }) {
  return <AdminLoginPage {...page.props} />;
}
