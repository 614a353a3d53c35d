import type { Page } from '../api/page.gen';
import { FormHealthPage } from '../features/admin-settings/form-health-page';

export default function AdminFormHealth({ page }: { page: Extract<Page, { route: 'adminFormHealth' }> }) {
  return <FormHealthPage {...page.props} />;
}
