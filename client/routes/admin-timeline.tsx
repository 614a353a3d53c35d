import type { Page } from '../api/page.gen';
import { TimelinePage } from '../features/admin-application/timeline-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminTimeline({ page }: { page: Extract<Page, { route: 'adminTimeline' }> }) {
  return (
    <OfficeLayout page={page}>
      <TimelinePage {...page.props} />
    </OfficeLayout>
  );
}
