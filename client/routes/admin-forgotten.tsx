import type { Page } from '../api/page.gen';
import { ForgottenPage } from '../features/admin-login/forgotten-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminForgotten({ page }: { page: Extract<Page, { route: 'adminForgotten' }> }) {
  return (
    <OfficeLayout page={page} bare>
      <ForgottenPage {...page.props} />
    </OfficeLayout>
  );
}
