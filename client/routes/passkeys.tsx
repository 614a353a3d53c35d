import type { Page } from '../api/page.gen';
import { PasskeysPage } from '../features/account/passkeys-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'account' });

export default function Passkeys({ page }: { page: Extract<Page, { route: 'passkeys' }> }) {
  return <PasskeysPage {...page.props} />;
}
