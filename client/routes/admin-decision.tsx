import type { Page } from '../api/page.gen';
import { DecisionTab } from '../features/admin-decision/decision-tab';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminDecision({ page }: { page: Extract<Page, { route: 'adminDecision' }> }) {
  return (
    <OfficeLayout page={page}>
      <DecisionTab {...page.props} />
    </OfficeLayout>
  );
}
