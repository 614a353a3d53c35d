import type { Page } from '../api/page.gen';
import { InterviewTab } from '../features/admin-interview/interview-tab';

export default function AdminInterview({ page }: { page: Extract<Page, { route: 'adminInterview' }> }) {
  return <InterviewTab {...page.props} />;
}
