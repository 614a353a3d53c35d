import type { Page } from '../api/page.gen';
import { DuplicatesPage } from '../features/admin-application/duplicates-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminDuplicates({ page }: { page: Extract<Page, { route: 'adminDuplicates' }> }) {
  return (
    <OfficeLayout page={page}>
      <DuplicatesPage {...page.props} />
    </OfficeLayout>
  );
}
