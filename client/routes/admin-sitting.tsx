import type { Page } from '../api/page.gen';
import { SittingPage } from '../features/admin-committee/sitting-page';

export default function AdminSitting({ page }: { page: Extract<Page, { route: 'adminSitting' }> }) {
  return <SittingPage {...page.props} />;
}
