import type { Page } from '../api/page.gen';
import { ActPage } from '../features/admin-application/act-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminAct({ page }: { page: Extract<Page, { route: 'adminAct' }> }) {
  return (
    <OfficeLayout page={page}>
      <ActPage {...page.props} />
    </OfficeLayout>
  );
}
