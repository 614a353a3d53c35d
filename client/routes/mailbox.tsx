import type { Page } from '../api/page.gen';
import { MailboxPage } from '../features/mailbox/mailbox-page';
import { Layout } from '../ui/layout';

export default function Mailbox({ page }: { page: Extract<Page, { route: 'mailbox' }> }) {
  return (
    <Layout page={page}>
      <MailboxPage {...page.props} />
    </Layout>
  );
}
