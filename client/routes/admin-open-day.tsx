import type { Page } from '../api/page.gen';
import { OpenDayPage } from '../features/admin-prospects/open-day-page';

export default function AdminOpenDay({ page }: { page: Extract<Page, { route: 'adminOpenDay' }> }) {
  return <OpenDayPage {...page.props} />;
}
