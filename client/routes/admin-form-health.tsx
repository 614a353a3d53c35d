import type { Page } from '../api/page.gen';
import { FormHealthPage } from '../features/admin-settings/form-health-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminFormHealth({ page }: { page: Extract<Page, { route: 'adminFormHealth' }> }) {
  return (
    <OfficeLayout page={page}>
      <FormHealthPage {...page.props} />
    </OfficeLayout>
  );
}
