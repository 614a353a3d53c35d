import List from '@mui/material/List';
import type { MessagesProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { MessageRow, MessageSubject } from '../../theme/parts/messages';
import { Badge } from '../../ui/badge';
import { Pages } from '../../ui/pages';
import { ConversationSection } from './conversation-section';
import { DeliveryTag } from './delivery-tag';

/** What the applicant and the office wrote to each other, and every email that was written to the applicant. */
export function MessagesPage({ conversation, messages, olderHref, newestHref, form }: MessagesProps) {
  return (
    <div className="narrow">
      <h1>Messages</h1>
      {conversation ? <ConversationSection conversation={conversation} form={form} /> : null}
      <h2 id="emails">Emails</h2>
      <p className="page-intro">Every email that we have written to you, to be read here too.</p>
      {messages.length === 0 ? (
        <Empty newestHref={newestHref} />
      ) : (
        <List disablePadding className="message-list">
          {messages.map((message) => (
            <MessageRow key={message.href} disableGutters divider className={message.unread ? 'unread' : ''}>
              <MessageSubject href={message.href}>
                {message.unread ? <Badge>New</Badge> : null}
                {message.subject}
              </MessageSubject>
              <p className="small">{message.sentText}</p>
              <DeliveryTag {...message.delivery} />
            </MessageRow>
          ))}
        </List>
      )}
      {messages.length > 0 ? (
        <Pages
          label={t('More messages')}
          steps={[
            { href: newestHref, label: t('Newest messages') },
            { href: olderHref, label: t('Older messages'), way: 'next' },
          ]}
        />
      ) : null}
    </div>
  );
}

function Empty({ newestHref }: Pick<MessagesProps, 'newestHref'>) {
  return newestHref ? (
    <p>
      There are no older messages. <a href={newestHref}>Newest messages</a>
    </p>
  ) : (
    <p>
      We have not written to you yet. <a href="/dashboard">To your dashboard</a>
    </p>
  );
}
