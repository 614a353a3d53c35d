import type { Page } from '../api/page.gen';
import { SignOnPage } from '../features/admin-settings/sign-on-page';

export default function AdminSignOn({ page }: { page: Extract<Page, { route: 'adminSignOn' }> }) {
  return <SignOnPage {...page.props} />;
}
