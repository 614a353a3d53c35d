import type { Page } from '../api/page.gen';
import { UnsubscribePage } from '../features/prospects/unsubscribe-page';

export default function Unsubscribe({ page }: { page: Extract<Page, { route: 'unsubscribe' }> }) {
  return <UnsubscribePage {...page.props} />;
}
