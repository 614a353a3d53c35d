import List from '@mui/material/List';
import type { MessagesProps } from '../../api/page.gen';
import { MessageRow, MessageSubject } from '../../theme/parts/messages';
import { Badge } from '../../ui/badge';
import { ButtonLink } from '../../ui/button';
import { DeliveryTag } from './delivery-tag';

/** Every email that was written to the applicant. */
export function MessagesPage({ messages, olderHref, newestHref }: MessagesProps) {
  return (
    <div className="narrow">
      <h1>Messages</h1>
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
      {messages.length > 0 && (olderHref || newestHref) ? (
        <nav className="form-actions" aria-label="More messages">
          {olderHref ? (
            <ButtonLink variant="secondary" href={olderHref}>
              Older messages
            </ButtonLink>
          ) : null}
          {newestHref ? (
            <ButtonLink variant="quiet" href={newestHref}>
              Newest messages
            </ButtonLink>
          ) : null}
        </nav>
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
