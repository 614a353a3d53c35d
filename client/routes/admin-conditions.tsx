import type { Page } from '../api/page.gen';
import { ConditionsPage } from '../features/admin-decision/conditions-page';

export default function AdminConditions({ page }: { page: Extract<Page, { route: 'adminConditions' }> }) {
  return <ConditionsPage {...page.props} />;
}
