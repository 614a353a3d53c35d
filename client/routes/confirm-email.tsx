import type { Page } from '../api/page.gen';
import { ConfirmEmailPage } from '../features/account/confirm-email-page';

export default function ConfirmEmail({ page }: { page: Extract<Page, { route: 'confirmEmail' }> }) {
  return <ConfirmEmailPage {...page.props} shared={page.shared} />;
}
