import type { Page } from '../api/page.gen';
import { ConfirmEmailPage } from '../features/account/confirm-email-page';
import { Layout } from '../ui/layout';

export default function ConfirmEmail({ page }: { page: Extract<Page, { route: 'confirmEmail' }> }) {
  return (
    <Layout page={page}>
      <ConfirmEmailPage {...page.props} shared={page.shared} />
    </Layout>
  );
}
