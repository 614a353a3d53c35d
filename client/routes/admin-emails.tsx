import type { Page } from '../api/page.gen';
import { EmailsPage } from '../features/admin-application/emails-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminEmails({ page }: { page: Extract<Page, { route: 'adminEmails' }> }) {
  return (
    <OfficeLayout page={page}>
      <EmailsPage {...page.props} />
    </OfficeLayout>
  );
}
