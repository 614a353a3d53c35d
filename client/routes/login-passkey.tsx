import type { Page } from '../api/page.gen';
import { LoginPasskeyPage } from '../features/auth/login-passkey-page';

export default function LoginPasskey({ page }: { page: Extract<Page, { route: 'loginPasskey' }> }) {
  return <LoginPasskeyPage {...page.props} />;
}
