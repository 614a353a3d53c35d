import type { Page } from '../api/page.gen';
import { FundingPage } from '../features/funding/funding-page';
import { Layout } from '../ui/layout';

export default function Funding({ page }: { page: Extract<Page, { route: 'funding' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="dashboard">
      <FundingPage {...page.props} />
    </Layout>
  );
}
