import type { Page } from '../api/page.gen';
import { WaitlistPage } from '../features/admin-waitlist/waitlist-page';

export default function AdminWaitlist({ page }: { page: Extract<Page, { route: 'adminWaitlist' }> }) {
  return <WaitlistPage {...page.props} />;
}
