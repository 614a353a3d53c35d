import type { Page } from '../api/page.gen';
import { CheckPage } from '../features/application/check-page';

export default function Check({ page }: { page: Extract<Page, { route: 'check' }> }) {
  return <CheckPage check={page.props} />;
}
