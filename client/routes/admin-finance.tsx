import type { Page } from '../api/page.gen';
import { FinancePage } from '../features/admin-finance/finance-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminFinance({ page }: { page: Extract<Page, { route: 'adminFinance' }> }) {
  return (
    <OfficeLayout page={page}>
      <FinancePage {...page.props} />
    </OfficeLayout>
  );
}
