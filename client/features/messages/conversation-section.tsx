import { useMemo } from 'react';
import type { Conversation, FormState } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConversationLines } from '../../ui/conversation-lines';
import { summaryErrors } from '../../ui/error-summary';
import { TextArea } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Pages } from '../../ui/pages';

/** The conversation between the applicant and the office, with a form to write to the office. */
export function ConversationSection({ conversation, form }: { conversation: Conversation; form: FormState }) {
  const { entries, earlierHref, newestHref, canWrite, contactEmail, idempotencyKey } = conversation;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <section className="stack-small conversation" aria-labelledby="conversation-heading">
      <h2 id="conversation-heading">Your conversation with us</h2>
      <FormOutcome errors={errors} message={form.message} />
      {canWrite ? (
        <form
          className="stack-small"
          method="post"
          action="/dashboard/messages"
          noValidate
          key={idempotencyKey}
        >
          <input type="hidden" name="key" value={idempotencyKey} />
          <TextArea
            label={t('Your message')}
            name="text"
            rows={4}
            hint={t('Ask us anything about your application.')}
            error={form.errors['text']}
            defaultValue={String(form.values['text'] ?? '')}
          />
          <div>
            <Button>{t('Send the message')}</Button>
          </div>
        </form>
      ) : (
        <p>
          You can write to us here once you have submitted your application. Until then, write to{' '}
          <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      )}
      {entries.length > 0 ? (
        <>
          <ConversationLines
            label={t('Messages, newest first')}
            lines={entries.map(({ id, own, text, writtenText, unread, earlier }) => ({
              id,
              own,
              text,
              name: own ? t('You') : t('Admissions'),
              when: writtenText,
              note: (
                <>
                  {unread ? <Badge>New</Badge> : null}
                  {earlier ? <span>Earlier application</span> : null}
                </>
              ),
            }))}
          />
          <Pages
            label={t('More of the conversation')}
            steps={[
              { href: newestHref, label: t('Newest messages') },
              { href: earlierHref, label: t('Earlier messages'), way: 'next' },
            ]}
          />
        </>
      ) : null}
    </section>
  );
}
