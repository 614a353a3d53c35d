import type { Page } from '../api/page.gen';
import { OfficeConversationPage } from '../features/admin-application/conversation-page';

export default function AdminConversation({ page }: { page: Extract<Page, { route: 'adminConversation' }> }) {
  return <OfficeConversationPage {...page.props} />;
}
