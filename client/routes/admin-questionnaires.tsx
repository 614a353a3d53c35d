import type { Page } from '../api/page.gen';
import { QuestionnairesPage } from '../features/admin-questionnaires/questionnaires-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminQuestionnaires({
  page,
}: {
  page: Extract<Page, { route: 'adminQuestionnaires' }>;
}) {
  return (
    <OfficeLayout page={page}>
      <QuestionnairesPage {...page.props} />
    </OfficeLayout>
  );
}
