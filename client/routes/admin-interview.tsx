import type { Page } from '../api/page.gen';
import { InterviewTab } from '../features/admin-interview/interview-tab';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminInterview({ page }: { page: Extract<Page, { route: 'adminInterview' }> }) {
  return (
    <OfficeLayout page={page}>
      <InterviewTab {...page.props} />
    </OfficeLayout>
  );
}
