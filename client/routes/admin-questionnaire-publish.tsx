import type { Page } from '../api/page.gen';
import { PublishPage } from '../features/admin-questionnaires/publish-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminQuestionnairePublish({
  page,
}: {
  page: Extract<Page, { route: 'adminQuestionnairePublish' }>;
}) {
  return (
    <OfficeLayout page={page}>
      <PublishPage {...page.props} />
    </OfficeLayout>
  );
}
