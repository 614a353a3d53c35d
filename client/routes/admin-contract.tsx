import type { Page } from '../api/page.gen';
import { ContractTab } from '../features/admin-contracts/contract-tab';

export default function AdminContract({ page }: { page: Extract<Page, { route: 'adminContract' }> }) {
  return <ContractTab {...page.props} />;
}
