import type { Page } from '../api/page.gen';
import { SchedulePage } from '../features/schedule/schedule-page';
import { Layout } from '../ui/layout';

export default function Schedule({ page }: { page: Extract<Page, { route: 'schedule' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="schedule">
      <SchedulePage schedule={page.props} contactEmail={page.shared.contactEmail} />
    </Layout>
  );
}
