import type { Page } from '../api/page.gen';
import { ResetPasswordPage } from '../features/reset-password/reset-password-page';

export default function ResetPassword({ page }: { page: Extract<Page, { route: 'resetPassword' }> }) {
  return <ResetPasswordPage {...page.props} shared={page.shared} isPosted={page.status !== 200} />;
}
