import type { Page } from '../api/page.gen';
import { PaymentsPage } from '../features/funding/payments-page';
import { Layout } from '../ui/layout';

export default function Payments({ page }: { page: Extract<Page, { route: 'payments' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="payments">
      <PaymentsPage {...page.props} />
    </Layout>
  );
}
