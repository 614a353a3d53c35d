import type { Page } from '../api/page.gen';
import { ActPage } from '../features/admin-application/act-page';

export default function AdminAct({ page }: { page: Extract<Page, { route: 'adminAct' }> }) {
  return <ActPage {...page.props} />;
}
