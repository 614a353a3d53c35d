import type { Page } from '../api/page.gen';
import { FundingPage } from '../features/funding/funding-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'dashboard' });

export default function Funding({ page }: { page: Extract<Page, { route: 'funding' }> }) {
  return <FundingPage {...page.props} />;
}
