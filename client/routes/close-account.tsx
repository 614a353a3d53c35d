import type { Page } from '../api/page.gen';
import { CloseAccountPage } from '../features/account/close-account-page';
import { Layout } from '../ui/layout';

export default function CloseAccount({ page }: { page: Extract<Page, { route: 'closeAccount' }> }) {
  return (
    <Layout page={page} nav={page.props.done ? 'none' : 'dashboard'} current="account">
      <CloseAccountPage {...page.props} />
    </Layout>
  );
}
