import type { Page } from '../api/page.gen';
import { ContractsPage } from '../features/admin-contracts/contracts-page';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminContracts({ page }: { page: Extract<Page, { route: 'adminContracts' }> }) {
  return (
    <OfficeLayout page={page}>
      <ContractsPage {...page.props} />
    </OfficeLayout>
  );
}
