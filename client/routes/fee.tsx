import type { Page } from '../api/page.gen';
import { FeePage } from '../features/funding/fee-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'dashboard' });

export default function Fee({ page }: { page: Extract<Page, { route: 'fee' }> }) {
  return <FeePage {...page.props} contactEmail={page.shared.contactEmail} />;
}
