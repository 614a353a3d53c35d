import type { Page } from '../api/page.gen';
import { ContractPage } from '../features/contract/contract-page';
import { Layout } from '../ui/layout';

export default function Contract({ page }: { page: Extract<Page, { route: 'contract' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="dashboard">
      <ContractPage {...page.props} contactEmail={page.shared.contactEmail} />
    </Layout>
  );
}
