import type { Page } from '../api/page.gen';
import { VerifyPage } from '../features/contract/verify-page';

export default function Verify({ page }: { page: Extract<Page, { route: 'verify' }> }) {
  return <VerifyPage {...page.props} />;
}
