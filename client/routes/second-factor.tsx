import type { Page } from '../api/page.gen';
import { SecondFactorPage } from '../features/account/second-factor-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'account' });

export default function SecondFactor({ page }: { page: Extract<Page, { route: 'secondFactor' }> }) {
  return <SecondFactorPage {...page.props} />;
}
