import type { Page } from '../api/page.gen';
import { TextsPage } from '../features/admin-settings/texts-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminTexts({ page }: { page: Extract<Page, { route: 'adminTexts' }> }) {
  return (
    <OfficeLayout page={page}>
      <TextsPage {...page.props} />
    </OfficeLayout>
  );
}
