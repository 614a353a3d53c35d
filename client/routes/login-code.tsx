import type { Page } from '../api/page.gen';
import { LoginCodePage } from '../features/auth/login-code-page';

export default function LoginCode({ page }: { page: Extract<Page, { route: 'loginCode' }> }) {
  return <LoginCodePage {...page.props} />;
}
