import type { Page } from '../api/page.gen';
import { EditorPage } from '../features/admin-questionnaires/editor-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminQuestionnaire({
  page,
}: {
  page: Extract<Page, { route: 'adminQuestionnaire' }>;
}) {
  return (
    <OfficeLayout page={page}>
      <EditorPage {...page.props} />
    </OfficeLayout>
  );
}
