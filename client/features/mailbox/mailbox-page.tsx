import type { MailboxProps } from '../../api/page';

/** The mails that a development run kept instead of sending. */
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
        <ul className="mailbox">
          {mails.map((mail) => (
            <li key={mail.id}>
              <details>
                <summary>
                  <strong>{mail.subject}</strong>
                  <span className="small">
                    {mail.to} · {mail.sentText} · {mail.state}
                  </span>
                </summary>
                <pre>{linked(mail.text)}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The text with its addresses as links. */
function linked(text: string) {
  // Split at a group, every second part is an address. Parts never move, so their place is their key.
  return text.split(/(https?:\/\/\S+)/).map((part, place) =>
    place % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key
      <a key={place} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}
