import type { Page } from '../api/page.gen';
import { AuditPage } from '../features/admin-settings/audit-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminAudit({ page }: { page: Extract<Page, { route: 'adminAudit' }> }) {
  return (
    <OfficeLayout page={page}>
      <AuditPage {...page.props} />
    </OfficeLayout>
  );
}
