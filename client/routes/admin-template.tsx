import type { Page } from '../api/page.gen';
import { TemplatePage } from '../features/admin-contracts/template-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminTemplate({ page }: { page: Extract<Page, { route: 'adminTemplate' }> }) {
  return (
    <OfficeLayout page={page}>
      <TemplatePage {...page.props} />
    </OfficeLayout>
  );
}
