import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import type { MailboxProps } from '../../api/page.gen';
import { Accordion } from '../../ui/accordion';
import { LinkedText } from '../../ui/linked-text';

/** Mails that a development run kept instead of sending. */
export function MailboxPage({ mails }: MailboxProps) {
  return (
    <div className="narrow stack">
      <h1>Local mailbox</h1>
      <p>This run has no mail server, so every email stays here. Only a development run shows this page.</p>
      {mails.length === 0 ? (
        <p>
          No email yet. <a href="/mailbox">Look again</a>
        </p>
      ) : (
        <List disablePadding className="mailbox">
          {mails.map((mail) => (
            <ListItem key={mail.id} disablePadding>
              <Accordion
                summary={
                  <span>
                    <strong>{mail.subject}</strong>
                    <span className="small">
                      {mail.to} · {mail.sentText} · {mail.state}
                    </span>
                  </span>
                }
              >
                <pre>
                  <LinkedText text={mail.text} />
                </pre>
                {mail.attachment ? (
                  <p>
                    <a href={mail.attachment.href} download={mail.attachment.name}>
                      {mail.attachment.name}
                    </a>
                  </p>
                ) : null}
              </Accordion>
            </ListItem>
          ))}
        </List>
      )}
    </div>
  );
}
