import type { Page } from '../api/page.gen';
import { DecisionsPage } from '../features/admin-decisions/decisions-page';

export default function AdminDecisions({ page }: { page: Extract<Page, { route: 'adminDecisions' }> }) {
  return <DecisionsPage {...page.props} />;
}
