import type { Page } from '../api/page.gen';
import { AdminAccountPage } from '../features/admin-account/account-page';

export default function AdminAccount({ page }: { page: Extract<Page, { route: 'adminAccount' }> }) {
  return <AdminAccountPage {...page.props} />;
}
