import type { Page } from '../api/page.gen';
import { WorkPage } from '../features/admin-work/work-page';

export default function AdminWork({ page }: { page: Extract<Page, { route: 'adminWork' }> }) {
  return <WorkPage {...page.props} />;
}
