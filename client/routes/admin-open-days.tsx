import type { Page } from '../api/page.gen';
import { OpenDaysPage } from '../features/admin-prospects/open-days-page';

export default function AdminOpenDays({ page }: { page: Extract<Page, { route: 'adminOpenDays' }> }) {
  return <OpenDaysPage {...page.props} />;
}
