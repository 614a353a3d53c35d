import type { Page } from '../api/page.gen';
import { InterviewsPage } from '../features/admin-interviews/interviews-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminInterviews({ page }: { page: Extract<Page, { route: 'adminInterviews' }> }) {
  return (
    <OfficeLayout page={page}>
      <InterviewsPage {...page.props} />
    </OfficeLayout>
  );
}
