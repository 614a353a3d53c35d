import type { Page } from '../api/page.gen';
import { DecisionsPage } from '../features/admin-decisions/decisions-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminDecisions({ page }: { page: Extract<Page, { route: 'adminDecisions' }> }) {
  return (
    <OfficeLayout page={page}>
      <DecisionsPage {...page.props} />
    </OfficeLayout>
  );
}
