import type { Page } from '../api/page.gen';
import { CrashScreen } from '../features/crash/crash-screen';

export default function Crash({ page }: { page: Extract<Page, { route: 'crash' }> }) {
  return <CrashScreen {...page.props} />;
}
