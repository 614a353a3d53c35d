import type { Page } from '../api/page.gen';
import type { Frame } from '../ui/layout';
import { RecoveryCodesPage } from '../ui/recovery-codes';

export const frame = (): Frame => ({ menu: 'account' });

export default function RecoveryCodes({ page }: { page: Extract<Page, { route: 'recoveryCodes' }> }) {
  return <RecoveryCodesPage {...page.props} />;
}
