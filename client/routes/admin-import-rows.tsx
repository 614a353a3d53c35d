import type { Page } from '../api/page.gen';
import { RowsPage } from '../features/admin-imports/rows-page';

export default function AdminImportRows({ page }: { page: Extract<Page, { route: 'adminImportRows' }> }) {
  return <RowsPage {...page.props} />;
}
