import type { Page } from '../api/page';
import { CrashScreen } from '../features/crash/crash-screen';

export default function Crash({ page }: { page: Extract<Page, { route: 'crash' }> }) {
  return <CrashScreen message={page.props.message} />;
}
