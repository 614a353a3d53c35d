import type { Page } from '../api/page.gen';
import { DecisionTab } from '../features/admin-decision/decision-tab';

export default function AdminDecision({ page }: { page: Extract<Page, { route: 'adminDecision' }> }) {
  return <DecisionTab {...page.props} />;
}
