import { useMemo } from 'react';
import type { AdminBulkProps, FormState } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { SelectField, TextArea, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { DraftFields } from '../../ui/office-draft-fields';
import { LetterText } from '../../ui/office-letter-text';
import { OfficeList } from '../../ui/office-list';
import { Tag } from '../../ui/tag';

const LIST = '/admin-panel/applications';

/** The name of each act, and the fields of its form that are carried to the last step. */
const acts = {
  mail: {
    path: `${LIST}/mail`,
    fields: ['subject', 'text'],
    intro:
      'Look through the mail and the list. Nothing was sent so far. What is sent cannot be taken back: each applicant gets a mail of their own, and finds it among their messages, too.',
    samples: 'As they would get it',
    button: 'Send the mails',
  },
  ask: {
    path: `${LIST}/ask`,
    fields: ['document', 'text', 'dueOn'],
    intro:
      'Look through the mail and the list. Nothing was sent so far. What is sent cannot be taken back: each applicant gets a mail of their own, and finds it among their messages, too.',
    samples: 'As they would get it',
    button: 'Send the mails',
  },
  draft: {
    path: `${LIST}/draft`,
    fields: [
      'outcome',
      'letter',
      'intake',
      'conditions',
      'waiver',
      'withoutDocuments',
      'reasons',
      'shownReasons',
    ],
    intro:
      'Look through the letter and the list. Nothing was drafted so far. The applicants learn nothing of a draft: letting them see it is another step.',
    samples: 'The letter as it would be',
    button: 'Draft it for all',
  },
} as const;

/** An act on several applications: written, reviewed and done. */
export function BulkPage(props: AdminBulkProps) {
  const { step, title, rows, here, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  const failed = rows.filter((row) => row.failed).length;
  return (
    <div className="stack office-sections">
      <BackLink href={`${LIST}?${here}`}>Applications</BackLink>
      <h1>{title}</h1>
      <FormOutcome errors={errors} message={form.message} />
      {step === 'done' ? (
        <p role="status">
          {failed === 0 ? 'Done.' : `${failed} of ${rows.length} could not be done: see below.`}
        </p>
      ) : null}
      {step === 'write' ? <Write {...props} /> : null}
      {step === 'look' ? <Look {...props} /> : null}
      <section className="stack-small" aria-labelledby="rows-heading">
        <h2 id="rows-heading">{rows.length === 1 ? '1 application' : `${rows.length} applications`}</h2>
        {step !== 'done' && failed > 0 ? (
          <p>
            {failed === 1
              ? '1 of them is left alone: the reason stands in its row.'
              : `${failed} of them are left alone: the reason stands in their rows.`}
          </p>
        ) : null}
        <OfficeList label="Chosen applications">
          {rows.map((row) => (
            <OfficeItem key={row.id}>
              <span>
                {row.href ? <a href={row.href}>{row.name}</a> : row.name} {row.reference}
                {row.stage ? <span className="office-sub">{row.stage}</span> : null}
              </span>
              {row.told ? (
                <Tag shape={row.failed ? 'warning' : step === 'done' ? 'check' : 'circle'}>{row.told}</Tag>
              ) : null}
            </OfficeItem>
          ))}
        </OfficeList>
      </section>
    </div>
  );
}

/** The applications that the form is about. */
function Chosen({ rows, here }: AdminBulkProps) {
  return (
    <>
      <input type="hidden" name="here" value={here} />
      {rows.map((row) => (
        <input type="hidden" name="id" value={row.id} key={row.id} />
      ))}
    </>
  );
}

function Write(props: AdminBulkProps) {
  const { act, mailFields, documents, draft, needsWaiver, missingText, here, form } = props;
  const typed = (name: string) => String(form.values[name] ?? '');
  return (
    <section className="stack-small" aria-label="What is to be done">
      <form method="post" action={acts[act].path} className="stack-small" noValidate>
        <Chosen {...props} />
        {act === 'mail' ? (
          <>
            <p>
              Greeting and signature are added. In subject and text, these fields stand for something of each
              applicant: {mailFields.join(', ')}.
            </p>
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
              rows={10}
              hint="At most 5,000 characters. An empty line begins a paragraph. Never tell a decision here."
              error={form.errors['text']}
              defaultValue={typed('text')}
            />
          </>
        ) : null}
        {act === 'ask' ? (
          <>
            <p>
              Who has not sent it yet gets a mail with your text. Who has sent it, or need not send it, is
              left alone: what was sent is returned in the application, with a reason.
            </p>
            <SelectField
              label="Document"
              name="document"
              options={[{ value: '', label: 'Choose' }, ...documents]}
              error={form.errors['document']}
              defaultValue={typed('document')}
            />
            <TextArea
              label="Text"
              name="text"
              rows={6}
              hint="What is needed, and why. At most 1,000 characters."
              error={form.errors['text']}
              defaultValue={typed('text')}
            />
            <TextField
              label="By when"
              name="dueOn"
              type="date"
              error={form.errors['dueOn']}
              defaultValue={typed('dueOn')}
            />
          </>
        ) : null}
        {draft ? (
          <DraftFields choices={draft} needsWaiver={needsWaiver} missing={missingText} form={form} />
        ) : null}
        <div className="form-actions">
          <Button name="_action" value="look">
            Look through it…
          </Button>
          <ButtonLink variant="quiet" href={`${LIST}?${here}`}>
            Leave everything as it is
          </ButtonLink>
        </div>
      </form>
    </section>
  );
}

function Look(props: AdminBulkProps) {
  const { act, rows, samples, here, formKey, form } = props;
  const { path, fields, intro, samples: heading, button } = acts[act];
  return (
    <>
      <p>{intro}</p>
      {samples.length > 0 ? (
        <section className="stack-small" aria-labelledby="samples-heading">
          <h2 id="samples-heading">{heading}</h2>
          {samples.map((sample, index) => (
            <Disclosure
              key={`${index} ${sample.name}`}
              open={index === 0}
              summary={
                <>
                  {sample.name}
                  {sample.subject === null ? null : `: ${sample.subject}`}
                </>
              }
            >
              {sample.subject === null ? (
                <LetterText paragraphs={sample.paragraphs} />
              ) : (
                <p className="dossier-answer">{sample.paragraphs.join('\n\n')}</p>
              )}
            </Disclosure>
          ))}
        </section>
      ) : null}
      <section className="stack-small" aria-label="Do it">
        <form method="post" action={path} className="stack-small" noValidate>
          <Chosen {...props} />
          <Carried names={fields} form={form} />
          {act === 'draft' ? null : (
            <>
              <input type="hidden" name="key" value={formKey} />
              <TextField
                label={`Type ${rows.length} to confirm`}
                hint="It is the number of applications below."
                name="count"
                inputMode="numeric"
                autoComplete="off"
                error={form.errors['count']}
                defaultValue={String(form.values['count'] ?? '')}
              />
            </>
          )}
          <div className="form-actions">
            <Button name="_action" value="do">
              {button}
            </Button>
            <Button variant="secondary" name="_action" value="write">
              Change it
            </Button>
            <ButtonLink variant="quiet" href={`${LIST}?${here}`}>
              Leave everything as it is
            </ButtonLink>
          </div>
        </form>
      </section>
    </>
  );
}

/** Input of the previous step. */
function Carried({ names, form }: { names: readonly string[]; form: FormState }) {
  const values = names.flatMap((name) => [form.values[name] ?? []].flat().map((value) => ({ name, value })));
  return (
    <>
      {values.map(({ name, value }) => (
        <input type="hidden" name={name} value={value} key={`${name} ${value}`} />
      ))}
    </>
  );
}
