import type { Page } from '../api/page.gen';
import { DocumentsPage } from '../features/admin-application/documents-page';

export default function AdminDocuments({ page }: { page: Extract<Page, { route: 'adminDocuments' }> }) {
  return <DocumentsPage {...page.props} />;
}
