import type { Page } from '../api/page.gen';
import { TimelinePage } from '../features/admin-application/timeline-page';

export default function AdminTimeline({ page }: { page: Extract<Page, { route: 'adminTimeline' }> }) {
  return <TimelinePage {...page.props} />;
}
