import type { Page } from '../api/page.gen';
import { FinancePage } from '../features/admin-finance/finance-page';

export default function AdminFinance({ page }: { page: Extract<Page, { route: 'adminFinance' }> }) {
  return <FinancePage {...page.props} />;
}
