import type { Page } from '../api/page.gen';
import { SchedulePage } from '../features/schedule/schedule-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'schedule' });

export default function Schedule({ page }: { page: Extract<Page, { route: 'schedule' }> }) {
  return <SchedulePage schedule={page.props} contactEmail={page.shared.contactEmail} />;
}
