import type { Page } from '../api/page.gen';
import { AnswersPage } from '../features/admin-application/answers-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminApplication({ page }: { page: Extract<Page, { route: 'adminApplication' }> }) {
  return (
    <OfficeLayout page={page}>
      <AnswersPage {...page.props} />
    </OfficeLayout>
  );
}
