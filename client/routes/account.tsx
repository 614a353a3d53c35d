import type { Page } from '../api/page.gen';
import { AccountPage } from '../features/account/account-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'account' });

export default function Account({ page }: { page: Extract<Page, { route: 'account' }> }) {
  return <AccountPage {...page.props} />;
}
