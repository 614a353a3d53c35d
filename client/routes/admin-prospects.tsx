import type { Page } from '../api/page.gen';
import { ProspectsPage } from '../features/admin-prospects/prospects-page';

export default function AdminProspects({ page }: { page: Extract<Page, { route: 'adminProspects' }> }) {
  return <ProspectsPage {...page.props} />;
}
