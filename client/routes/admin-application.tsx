import type { Page } from '../api/page.gen';
import { AnswersPage } from '../features/admin-application/answers-page';

export default function AdminApplication({ page }: { page: Extract<Page, { route: 'adminApplication' }> }) {
  return <AnswersPage {...page.props} />;
}
