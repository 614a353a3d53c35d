import type { Page } from '../api/page.gen';
import { RecoveryCodesPage } from '../features/admin-account/recovery-codes-page';

export default function AdminRecoveryCodes({
  page,
}: {
  page: Extract<Page, { route: 'adminRecoveryCodes' }>;
}) {
  return <RecoveryCodesPage {...page.props} />;
}
