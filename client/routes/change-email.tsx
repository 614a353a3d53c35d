import type { Page } from '../api/page.gen';
import { ChangeEmailPage } from '../features/account/change-email-page';
import { Layout } from '../ui/layout';

export default function ChangeEmail({ page }: { page: Extract<Page, { route: 'changeEmail' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="account">
      <ChangeEmailPage {...page.props} />
    </Layout>
  );
}
