import type { Page } from '../api/page.gen';
import { RecoveryCodesPage } from '../features/admin-account/recovery-codes-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminRecoveryCodes({
  page,
}: {
  page: Extract<Page, { route: 'adminRecoveryCodes' }>;
}) {
  return (
    <OfficeLayout page={page}>
      <RecoveryCodesPage {...page.props} />
    </OfficeLayout>
  );
}
