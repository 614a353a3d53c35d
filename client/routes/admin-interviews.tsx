import type { Page } from '../api/page.gen';
import { InterviewsPage } from '../features/admin-interviews/interviews-page';

export default function AdminInterviews({ page }: { page: Extract<Page, { route: 'adminInterviews' }> }) {
  return <InterviewsPage {...page.props} />;
}
