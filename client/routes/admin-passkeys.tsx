import type { Page } from '../api/page.gen';
import { PasskeysPage } from '../features/admin-account/passkeys-page';
import type { Frame } from '../ui/layout';

type Passkeys = Extract<Page, { route: 'adminPasskeys' }>;

export const frame = ({ props }: Passkeys): Frame => ({ bare: props.required && !props.secondFactor });

export default function AdminPasskeys({ page }: { page: Passkeys }) {
  return <PasskeysPage {...page.props} />;
}
