import type { Page } from '../api/page.gen';
import { RecoveryCodesPage } from '../ui/recovery-codes';

export default function AdminRecoveryCodes({
  page,
}: {
  page: Extract<Page, { route: 'adminRecoveryCodes' }>;
}) {
  return <RecoveryCodesPage {...page.props} />;
}
