import type { Page } from '../api/page.gen';
import { OpenDayPage } from '../features/open-days/open-day-page';

export default function OpenDay({ page }: { page: Extract<Page, { route: 'openDay' }> }) {
  return <OpenDayPage {...page.props} />;
}
