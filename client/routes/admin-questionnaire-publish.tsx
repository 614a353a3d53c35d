import type { Page } from '../api/page.gen';
import { PublishPage } from '../features/admin-questionnaires/publish-page';

export default function AdminQuestionnairePublish({
  page,
}: {
  page: Extract<Page, { route: 'adminQuestionnairePublish' }>;
}) {
  return <PublishPage {...page.props} />;
}
