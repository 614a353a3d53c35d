import { useRef } from 'react';
import type { MouseEvent } from 'react';
import type { AdminConversationProps, OfficeMessage, OfficeSnippet } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { ConversationLines } from '../../ui/conversation-lines';
import { fieldId, TextArea } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Pages } from '../../ui/pages';
import { ToolMenu } from '../../ui/tool-menu';

/** The conversation between the applicant and the office. */
export function OfficeConversationPage(props: AdminConversationProps) {
  const { frame, messages, earlierHref, newestHref, open, form } = props;
  const line = ({ id, author, text, writtenText, readText }: OfficeMessage) => ({
    id,
    text,
    own: author !== null,
    name: author ?? frame.name,
    when: writtenText,
    note: author === null ? null : <span>{readText ? `Read ${readText}` : 'Not read yet'}</span>,
  });
  return (
    <OfficeDossier frame={frame} form={form}>
      {open ? <Composer {...props} /> : <p>The account is closed: nobody would read a message.</p>}
      <section className="stack-small" aria-labelledby="conversation-heading">
        <h2 id="conversation-heading">Conversation</h2>
        {messages.length === 0 ? (
          <p>
            Nobody has written yet. What you write is among the applicant’s messages; they can answer there,
            which makes a task.
          </p>
        ) : (
          <ConversationLines label="Messages, newest first" lines={messages.map(line)} />
        )}
        <Pages
          label="More of the conversation"
          steps={[
            { href: newestHref, label: 'Newest messages' },
            { href: earlierHref, label: 'Earlier messages', way: 'next' },
          ]}
        />
      </section>
    </OfficeDossier>
  );
}

function Composer(props: AdminConversationProps) {
  const { frame, snippets, begun, mayWriteSnippets, confirmed, longest, idempotencyKey, form } = props;
  const root = useRef<HTMLFormElement>(null);

  /** Inserts a snippet at the caret. Without JavaScript its link starts the message with it. */
  function insert(event: MouseEvent, { text }: OfficeSnippet) {
    const area = root.current?.querySelector('textarea');
    if (!area || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    area.focus();
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }

  return (
    <section className="stack-small" aria-labelledby="write-heading" id="write">
      <h2 id="write-heading">Write to {frame.name}</h2>
      <form
        className="stack-small"
        method="post"
        action={dossierHref(frame, '/messages')}
        noValidate
        key={`${idempotencyKey} ${begun}`}
        ref={root}
      >
        <DossierFields frame={frame} />
        <input type="hidden" name="key" value={idempotencyKey} />
        {confirmed ? null : (
          <Notice tone="info">
            <p>
              The applicant has not confirmed their address yet. They can read the message once they log in;
              the mail that tells of it goes out when they confirm the address within seven days.
            </p>
          </Notice>
        )}
        <TextArea
          label="Message"
          name="text"
          rows={5}
          hint={`They get a mail that there is something to read, not the text. Never tell a decision here. At most ${longest.toLocaleString('en-US')} characters.`}
          error={form.errors['text']}
          defaultValue={String(form.values['text'] ?? begun)}
        />
        <div className="row">
          <Button name="_action" value="write" aria-describedby={`${fieldId('text')}-hint`}>
            Send the message
          </Button>
          {snippets.length > 0 || mayWriteSnippets ? (
            <ToolMenu label="Snippets">
              <ul className="snippets">
                {snippets.map((snippet) => (
                  <li key={snippet.name}>
                    <a href={snippet.href} onClick={(event) => insert(event, snippet)}>
                      <strong>{snippet.name}</strong>
                      <span>{snippet.text}</span>
                    </a>
                  </li>
                ))}
                {mayWriteSnippets ? (
                  <li>
                    <a href="/admin-panel/settings/snippets">
                      {snippets.length > 0 ? 'Change the snippets' : 'Write the first snippet'}
                    </a>
                  </li>
                ) : null}
              </ul>
            </ToolMenu>
          ) : null}
        </div>
      </form>
    </section>
  );
}
