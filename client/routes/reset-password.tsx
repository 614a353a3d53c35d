import type { Page } from '../api/page.gen';
import { ResetPasswordPage } from '../features/reset-password/reset-password-page';
import { Layout } from '../ui/layout';

export default function ResetPassword({ page }: { page: Extract<Page, { route: 'resetPassword' }> }) {
  return (
    <Layout page={page}>
      <ResetPasswordPage {...page.props} shared={page.shared} />
    </Layout>
  );
}
