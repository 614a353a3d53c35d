import type { Page } from '../api/page.gen';
import { EmailsPage } from '../features/admin-application/emails-page';

export default function AdminEmails({ page }: { page: Extract<Page, { route: 'adminEmails' }> }) {
  return <EmailsPage {...page.props} />;
}
