import type { Page } from '../api/page.gen';
import { ConditionsPage } from '../features/admin-decision/conditions-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminConditions({ page }: { page: Extract<Page, { route: 'adminConditions' }> }) {
  return (
    <OfficeLayout page={page}>
      <ConditionsPage {...page.props} />
    </OfficeLayout>
  );
}
