import type { Page } from '../api/page';
import { MailTextsPage } from '../features/admin-settings/mail-texts-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminMailTexts({ page }: { page: Extract<Page, { route: 'adminMailTexts' }> }) {
  return (
    <OfficeLayout page={page}>
      <MailTextsPage {...page.props} />
    </OfficeLayout>
  );
}
