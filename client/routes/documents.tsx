import type { Page } from '../api/page.gen';
import { DocumentsPage } from '../features/documents/documents-page';
import { Layout } from '../ui/layout';

export default function Documents({ page }: { page: Extract<Page, { route: 'documents' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="documents">
      <DocumentsPage documents={page.props} owner={page.shared.viewer?.email ?? ''} />
    </Layout>
  );
}
