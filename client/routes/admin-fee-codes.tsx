import type { Page } from '../api/page.gen';
import { FeeCodesPage } from '../features/admin-finance/fee-codes-page';

export default function AdminFeeCodes({ page }: { page: Extract<Page, { route: 'adminFeeCodes' }> }) {
  return <FeeCodesPage {...page.props} />;
}
