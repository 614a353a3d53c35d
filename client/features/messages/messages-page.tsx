import List from '@mui/material/List';
import type { MessagesProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { MessageRow, MessageSubject } from '../../theme/parts/messages';
import { Badge } from '../../ui/badge';
import { Disclosure } from '../../ui/disclosure';
import { Pages } from '../../ui/pages';
import { ConversationSection } from './conversation-section';
import { DeliveryTag } from './delivery-tag';

/** The conversation between the applicant and the office, and every email sent to the applicant. */
export function MessagesPage({ conversation, messages, olderHref, newestHref, form }: MessagesProps) {
  return (
    <div className="narrow">
      <h1>Messages</h1>
      {conversation ? <ConversationSection conversation={conversation} form={form} /> : null}
      <h2 id="emails">Emails</h2>
      <p className="page-intro">Every email that we have sent you is here, too.</p>
      {messages.length === 0 ? (
        <Empty newestHref={newestHref} />
      ) : (
        <List disablePadding className="message-list">
          {threads(messages).map(([message, ...earlier]) => (
            <MessageRow
              key={message.href}
              disableGutters
              divider
              className={[message, ...earlier].some(({ unread }) => unread) ? 'unread' : ''}
            >
              <MessageSubject href={message.href}>
                {message.unread ? <Badge>New</Badge> : null}
                {message.subject}
              </MessageSubject>
              <p className="small">{message.sentText}</p>
              <DeliveryTag {...message.delivery} />
              {earlier.length > 0 ? <Earlier messages={earlier} /> : null}
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

type Message = MessagesProps['messages'][number];

/** Groups emails by subject, ordered by the latest of each. */
function threads(messages: Message[]): [Message, ...Message[]][] {
  const bySubject = new Map<string, [Message, ...Message[]]>();
  for (const message of messages) {
    const thread = bySubject.get(message.subject);
    if (thread) thread.push(message);
    else bySubject.set(message.subject, [message]);
  }
  return [...bySubject.values()];
}

/** The other emails with the same subject. Unread ones are not hidden. */
function Earlier({ messages }: { messages: Message[] }) {
  const hasNew = messages.some(({ unread }) => unread);
  return (
    <Disclosure
      className="messages-earlier"
      open={hasNew || undefined}
      summary={messages.length === 1 ? t('1 earlier') : t`${messages.length} earlier`}
    >
      <ul>
        {messages.map(({ href, sentText, unread, subject }) => (
          <li key={href}>
            <a href={href}>
              <span className="visually-hidden">{subject}, </span>
              {sentText}
            </a>{' '}
            {unread ? <Badge>New</Badge> : null}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Empty({ newestHref }: Pick<MessagesProps, 'newestHref'>) {
  return newestHref ? (
    <p>
      There are no older messages. <a href={newestHref}>Newest messages</a>
    </p>
  ) : (
    <p>
      We have not written to you yet. <a href="/dashboard">Go to your dashboard</a>
    </p>
  );
}
