import type { MessagesProps } from '../../api/page';
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
        <ul className="message-list">
          {messages.map((message) => (
            <li key={message.href} className={message.unread ? 'unread' : undefined}>
              <a href={message.href}>
                {message.unread ? <span className="unread-mark">New</span> : null}
                {message.subject}
              </a>
              <p className="small">{message.sentText}</p>
              <DeliveryTag {...message.delivery} />
            </li>
          ))}
        </ul>
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
