import type { Page } from '../api/page.gen';
import { MessagePage } from '../features/messages/message-page';
import type { Frame } from '../ui/layout';

export const frame = (): Frame => ({ menu: 'messages' });

export default function Message({ page }: { page: Extract<Page, { route: 'message' }> }) {
  return <MessagePage {...page.props} />;
}
