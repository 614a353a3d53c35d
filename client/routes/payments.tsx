import type { Page } from '../api/page.gen';
import { PaymentsPage } from '../features/funding/payments-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'payments' });

export default function Payments({ page }: { page: Extract<Page, { route: 'payments' }> }) {
  return <PaymentsPage {...page.props} />;
}
