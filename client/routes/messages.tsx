import type { Page } from '../api/page.gen';
import { MessagesPage } from '../features/messages/messages-page';
import { Layout } from '../ui/layout';

export default function Messages({ page }: { page: Extract<Page, { route: 'messages' }> }) {
  return (
    <Layout page={page} nav="dashboard" current="messages">
      <MessagesPage {...page.props} />
    </Layout>
  );
}
