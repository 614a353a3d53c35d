import type { Page } from '../api/page.gen';
import { MessagePage } from '../features/messages/message-page';
import { Layout } from '../ui/layout';

export default function Message({ page }: { page: Extract<Page, { route: 'message' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="messages">
      <MessagePage {...page.props} />
    </Layout>
  );
}
