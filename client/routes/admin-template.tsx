import type { Page } from '../api/page.gen';
import { TemplatePage } from '../features/admin-contracts/template-page';

export default function AdminTemplate({ page }: { page: Extract<Page, { route: 'adminTemplate' }> }) {
  return <TemplatePage {...page.props} />;
}
