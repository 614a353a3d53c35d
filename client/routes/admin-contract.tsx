import type { Page } from '../api/page.gen';
import { ContractTab } from '../features/admin-contracts/contract-tab';
import { OfficeLayout } from '../ui/office-layout';

export default function AdminContract({ page }: { page: Extract<Page, { route: 'adminContract' }> }) {
  return (
    <OfficeLayout page={page}>
      <ContractTab {...page.props} />
    </OfficeLayout>
  );
}
