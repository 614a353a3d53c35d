import type { Page } from '../api/page.gen';
import { ContractsPage } from '../features/admin-contracts/contracts-page';

export default function AdminContracts({ page }: { page: Extract<Page, { route: 'adminContracts' }> }) {
  return <ContractsPage {...page.props} />;
}
