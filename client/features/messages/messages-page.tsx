import ButtonBase from '@mui/material/ButtonBase';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import { styled } from '@mui/material/styles';
import type { MessagesProps } from '../../api/page.gen';
import { Badge } from '../../ui/badge';
import { ButtonLink } from '../../ui/button';
import { DeliveryTag } from './delivery-tag';

/** The whole row is the link. */
const Row = styled(ListItem)({
  display: 'block',
  paddingBlock: '0.875rem',
  '&:hover': { background: 'color-mix(in srgb, var(--palette-divider) 15%, transparent)' },
}) as typeof ListItem;

const Subject = styled(ButtonBase)({
  position: 'static',
  display: 'flex',
  justifyContent: 'flex-start',
  gap: '0.625rem',
  width: '100%',
  color: 'var(--palette-heading)',
  font: '400 1.125rem/1.5556 var(--sans)',
  textAlign: 'start',
  overflowWrap: 'anywhere',
  userSelect: 'text',
  '.unread > &': { fontWeight: 600 },
  '&::after': { position: 'absolute', inset: 0, content: '""' },
  '&:focus-visible': { outline: 'none' },
  '&:focus-visible::after': { outline: '3px solid var(--palette-focus)', outlineOffset: 2 },
}) as typeof ButtonBase;

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
            <Row key={message.href} disableGutters divider className={message.unread ? 'unread' : ''}>
              <Subject href={message.href}>
                {message.unread ? <Badge>New</Badge> : null}
                {message.subject}
              </Subject>
              <p className="small">{message.sentText}</p>
              <DeliveryTag {...message.delivery} />
            </Row>
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
