import type { Page } from '../api/page.gen';
import { InvitationPage } from '../features/admin-login/invitation-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminInvitation({ page }: { page: Extract<Page, { route: 'adminInvitation' }> }) {
  return (
    <OfficeLayout page={page} bare>
      <InvitationPage {...page.props} />
    </OfficeLayout>
  );
}
