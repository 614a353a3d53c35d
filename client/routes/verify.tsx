import type { Page } from '../api/page.gen';
import { VerifyPage } from '../features/contract/verify-page';
import { Layout } from '../ui/layout';

export default function Verify({ page }: { page: Extract<Page, { route: 'verify' }> }) {
  return (
    <Layout page={page}>
      <VerifyPage {...page.props} />
    </Layout>
  );
}
