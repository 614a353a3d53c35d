import type { Page } from '../api/page.gen';
import { AuditPage } from '../features/admin-settings/audit-page';

export default function AdminAudit({ page }: { page: Extract<Page, { route: 'adminAudit' }> }) {
  return <AuditPage {...page.props} />;
}
