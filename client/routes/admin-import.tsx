import type { Page } from '../api/page.gen';
import { ImportPage } from '../features/admin-imports/import-page';

export default function AdminImport({ page }: { page: Extract<Page, { route: 'adminImport' }> }) {
  return <ImportPage {...page.props} />;
}
