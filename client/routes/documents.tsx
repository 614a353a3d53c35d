import type { Page } from '../api/page.gen';
import { DocumentsPage } from '../features/documents/documents-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'documents' });

export default function Documents({ page }: { page: Extract<Page, { route: 'documents' }> }) {
  return <DocumentsPage documents={page.props} owner={page.shared.viewer?.email ?? ''} />;
}
