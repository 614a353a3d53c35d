import type { Page } from '../api/page.gen';
import { InvitationPage } from '../features/admin-login/invitation-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ bare: true });

export default function AdminInvitation({ page }: { page: Extract<Page, { route: 'adminInvitation' }> }) {
  return <InvitationPage {...page.props} />;
}
