import type { Page } from '../api/page.gen';
import { ImportsPage } from '../features/admin-imports/imports-page';

export default function AdminImports({ page }: { page: Extract<Page, { route: 'adminImports' }> }) {
  return <ImportsPage {...page.props} />;
}
