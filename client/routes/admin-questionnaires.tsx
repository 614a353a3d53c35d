import type { Page } from '../api/page.gen';
import { QuestionnairesPage } from '../features/admin-questionnaires/questionnaires-page';

export default function AdminQuestionnaires({
  page,
}: {
  page: Extract<Page, { route: 'adminQuestionnaires' }>;
}) {
  return <QuestionnairesPage {...page.props} />;
}
