import type { Page } from '../api/page.gen';
import { ChangeEmailPage } from '../features/account/change-email-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'account' });

export default function ChangeEmail({ page }: { page: Extract<Page, { route: 'changeEmail' }> }) {
  return <ChangeEmailPage {...page.props} />;
}
