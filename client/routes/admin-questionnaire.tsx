import type { Page } from '../api/page.gen';
import { EditorPage } from '../features/admin-questionnaires/editor-page';

export default function AdminQuestionnaire({
  page,
}: {
  page: Extract<Page, { route: 'adminQuestionnaire' }>;
}) {
  return <EditorPage {...page.props} />;
}
