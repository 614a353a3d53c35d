import type { Page } from '../api/page.gen';
import { AccountPage } from '../features/account/account-page';
import { Layout } from '../ui/layout';

export default function Account({ page }: { page: Extract<Page, { route: 'account' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="account">
      <AccountPage {...page.props} />
    </Layout>
  );
}
