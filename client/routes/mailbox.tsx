import type { Page } from '../api/page.gen';
import { MailboxPage } from '../features/mailbox/mailbox-page';

export default function Mailbox({ page }: { page: Extract<Page, { route: 'mailbox' }> }) {
  return <MailboxPage {...page.props} />;
}
