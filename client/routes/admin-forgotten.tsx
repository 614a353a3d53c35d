import type { Page } from '../api/page.gen';
import { ForgottenPage } from '../features/admin-login/forgotten-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ bare: true });

export default function AdminForgotten({ page }: { page: Extract<Page, { route: 'adminForgotten' }> }) {
  return <ForgottenPage {...page.props} />;
}
