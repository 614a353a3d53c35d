import type { AdminEmailsProps, OfficeMail } from '../../api/page.gen';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
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

/** Mails to the applicant and their delivery status. */
export function EmailsPage({ frame, to, confirmed, mails, form }: AdminEmailsProps) {
  const path = dossierHref(frame, '/emails');
  return (
    <OfficeDossier frame={frame} form={form}>
      {to && !confirmed ? (
        <Notice tone="info">
          <p>
            The applicant has not confirmed the address {to} yet. What is written is among their messages now,
            and is mailed once they confirm it within seven days.
          </p>
        </Notice>
      ) : null}
      {to ? null : <p>The account is closed: there is no address to write to.</p>}
      <section className="stack-small" aria-labelledby="mails-heading">
        <h2 id="mails-heading">Emails</h2>
        {mails.length === 0 ? <p>Nothing was mailed to this applicant.</p> : null}
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
