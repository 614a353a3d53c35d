import type { Page } from '../api/page.gen';
import { DocumentsPage } from '../features/admin-application/documents-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminDocuments({ page }: { page: Extract<Page, { route: 'adminDocuments' }> }) {
  return (
    <OfficeLayout page={page}>
      <DocumentsPage {...page.props} />
    </OfficeLayout>
  );
}
