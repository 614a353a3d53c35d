import type { Page } from '../api/page.gen';
import { DuplicatesPage } from '../features/admin-application/duplicates-page';

export default function AdminDuplicates({ page }: { page: Extract<Page, { route: 'adminDuplicates' }> }) {
  return <DuplicatesPage {...page.props} />;
}
