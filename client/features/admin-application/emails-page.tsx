import type { AdminEmailsProps, OfficeMail } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { TextArea, TextField } from '../../ui/field';
import type { IconName } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { dossierHref, DossierFields, OfficeDossier } from '../../ui/office-dossier';
import { Tag } from '../../ui/tag';

const shapes = {
  sent: 'check',
  kept: 'circle',
  held: 'circle',
  failed: 'warning',
  waiting: 'half',
} as const satisfies Record<OfficeMail['state'], IconName>;

/** What was written to the applicant, how far each mail has come, and writing to them. */
export function EmailsPage({ frame, to, confirmed, mails, idempotencyKey, form }: AdminEmailsProps) {
  const path = dossierHref(frame, '/emails');
  const typed = (name: string) => String(form.values[name] ?? '');
  return (
    <OfficeDossier frame={frame} form={form}>
      <section className="stack-small" aria-labelledby="write-heading">
        <h2 id="write-heading">Write to the applicant</h2>
        {to ? (
          <form className="stack-small" method="post" action={path} noValidate key={idempotencyKey}>
            <DossierFields frame={frame} />
            <input type="hidden" name="key" value={idempotencyKey} />
            <p>To {to}. Greeting and signature are added, and it is among their messages, too.</p>
            {confirmed ? null : (
              <Notice tone="info">
                <p>
                  The applicant has not confirmed this address yet. What you write is among their messages
                  now, and is mailed once they confirm it within seven days.
                </p>
              </Notice>
            )}
            <TextField
              label="Subject"
              name="subject"
              autoComplete="off"
              error={form.errors['subject']}
              defaultValue={typed('subject')}
            />
            <TextArea
              label="Text"
              name="text"
              rows={8}
              hint="At most 5,000 characters. An empty line begins a paragraph. Never tell a decision here."
              error={form.errors['text']}
              defaultValue={typed('text')}
            />
            <div>
              <Button name="_action" value="write">
                Send the mail
              </Button>
            </div>
          </form>
        ) : (
          <p>The account is closed: there is no address to write to.</p>
        )}
      </section>
      <section className="stack-small" aria-labelledby="mails-heading">
        <h2 id="mails-heading">Written so far</h2>
        {mails.length === 0 ? <p>Nothing was written to this applicant.</p> : null}
        <ul className="dossier-notes">
          {mails.map((mail) => (
            <li key={mail.id}>
              <p className="dossier-byline">
                <strong>{mail.subject}</strong> {mail.writtenText}{' '}
                <Tag shape={shapes[mail.state]}>{mail.stateText}</Tag>
              </p>
              <Disclosure
                summary={
                  <>
                    Read it<span className="visually-hidden">: {mail.subject}</span>
                  </>
                }
              >
                <p className="office-sub">To {mail.to}</p>
                <p className="dossier-answer">{mail.text}</p>
              </Disclosure>
              {mail.mayResend && to ? (
                <form method="post" action={path}>
                  <DossierFields frame={frame} />
                  <Button variant="quiet" name="_action" value={`resend:${mail.id}`}>
                    Send again<span className="visually-hidden">: {mail.subject}</span>
                  </Button>
                </form>
              ) : null}
            </li>
          ))}
        </ul>
      </section>
    </OfficeDossier>
  );
}
