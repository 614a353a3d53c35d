import type { Page } from '../api/page.gen';
import { IdentityProviderPage } from '../features/admin-settings/identity-provider-page';

export default function AdminIdentityProvider({
  page,
}: {
  page: Extract<Page, { route: 'adminIdentityProvider' }>;
}) {
  return <IdentityProviderPage {...page.props} />;
}
