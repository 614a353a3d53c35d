import type { Page } from '../api/page.gen';
import { MessagesPage } from '../features/messages/messages-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'messages' });

export default function Messages({ page }: { page: Extract<Page, { route: 'messages' }> }) {
  return <MessagesPage {...page.props} />;
}
