import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { ReferenceProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { FileLine } from '../../theme/parts/file-line';
import { Lines } from '../../theme/parts/lines';
import { Button } from '../../ui/button';
import { Disclosure } from '../../ui/disclosure';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import type { SummaryError } from '../../ui/error-summary';
import { Field, TextArea } from '../../ui/field';
import { FileButton } from '../../ui/file-button';
import { Icon } from '../../ui/icon';
import { Notice } from '../../ui/notice';

interface ReferencePageProps extends ReferenceProps {
  /** The questions, if there are any. */
  children: ReactNode;
}

/** What a referee is asked for. Opening it changes nothing, because mail scanners open links. */
export function ReferencePage(props: ReferencePageProps) {
  const { action, state, applicant, referee, waived, finishedText, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  switch (state) {
    case 'open':
      return <Request {...props} errors={errors} />;
    case 'received':
      return (
        <Told heading={t`Thank you, ${referee}`}>
          <p className="lead">
            Your reference for {applicant} arrived on {finishedText}.
          </p>
          <p>
            {waived
              ? t`Only the people who decide on the application read it. ${applicant} sees that it has arrived.`
              : t`The people who decide on the application read it, and ${applicant} can read it, too.`}
          </p>
          <p>What you sent is final. If something in it is wrong, please write to us.</p>
        </Told>
      );
    case 'declined':
      return (
        <Told heading="You have declined">
          <ErrorSummary errors={errors} />
          <p>We have told {applicant} that you cannot give this reference. Thank you for letting us know.</p>
          <form method="post" action={action}>
            <Button variant="secondary" name="_action" value="reopen">
              I can give it after all
            </Button>
          </form>
        </Told>
      );
    case 'over':
      return (
        <Told heading="This reference is no longer needed">
          <p>Thank you for your time. You do not need to do anything, and we will not write to you again.</p>
        </Told>
      );
  }
}

function Told({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="narrow stack" role="status">
      <h1>{heading}</h1>
      {children}
    </div>
  );
}

function Request(props: ReferencePageProps & { errors: SummaryError[] }) {
  const { action, applicant, programName, waived, letterRule, form, errors, children } = props;
  const [isChanged, setChanged] = useState(errors.length > 0);
  return (
    <div className="narrow stack">
      <header className="stack-small">
        <p className="eyebrow">{programName}</p>
        <h1>Reference for {applicant}</h1>
      </header>
      <ErrorSummary errors={errors} />
      {form.message ? (
        <Notice tone="success" role="status">
          <p>{form.message}</p>
        </Notice>
      ) : null}
      <p className="lead">
        {applicant} is applying for the {programName} and asks you for a reference. You do not need an
        account.
      </p>
      <p>
        {waived
          ? t`${applicant} has waived the right to read what you write. Only the people who decide on the application read it.`
          : t`${applicant} has kept the right to read what you write, and can do so once you have sent it.`}
      </p>
      <p>Save as often as you like, and come back with the same link. What you have sent is final.</p>
      <form
        className="application-form"
        data-changed={isChanged ? '' : undefined}
        method="post"
        action={action}
        encType="multipart/form-data"
        autoComplete="off"
        noValidate
        onInput={() => setChanged(true)}
        onSubmit={() => setChanged(false)}
      >
        {/* Pressing Enter in a field activates the form's first button. */}
        <button className="visually-hidden" name="_action" value="save" tabIndex={-1} aria-hidden="true">
          Save
        </button>
        {children}
        {letterRule === 'none' ? null : <Letter {...props} />}
        <div className="form-actions">
          <Button name="_action" value="send">
            Send the reference
          </Button>
          <Button variant="secondary" name="_action" value="save">
            Save and go on later
          </Button>
        </div>
      </form>
      <Decline {...props} />
    </div>
  );
}

function Letter({ letterRule, letter, accept, maxMegabytes, form }: ReferenceProps) {
  const error = form.errors['file'];
  return (
    <Field
      label={letterRule === 'required' ? t('Your letter') : t('Your letter (optional)')}
      hint={t`PDF, JPEG, PNG, HEIC or DOCX, up to ${maxMegabytes} MB`}
      name="file"
      error={error}
    >
      {({ id, describedBy }) => (
        <>
          {letter ? (
            <Lines className="document-files">
              <FileLine>
                <Icon name="file" />
                <div className="document-file">
                  <strong>{letter.name}</strong>
                  <p className="small">{letter.sizeText}</p>
                </div>
                <div>
                  <Button variant="quiet" name="_action" value="remove-letter">
                    Remove
                    <span className="visually-hidden"> {letter.name}</span>
                  </Button>
                </div>
              </FileLine>
            </Lines>
          ) : null}
          <p className="reference-file">
            <FileButton
              label={letter ? t('Choose another file') : t('Choose the file')}
              id={id}
              name="file"
              accept={accept}
              aria-describedby={describedBy}
              aria-invalid={error ? true : undefined}
            />
          </p>
        </>
      )}
    </Field>
  );
}

/** Declining takes two steps, and a word about who learns of it. */
function Decline({ action, applicant, form }: ReferenceProps) {
  const reason = form.values['reason'];
  return (
    <Disclosure
      className="act"
      summary="I cannot give this reference"
      open={form.errors['reason'] !== undefined || undefined}
    >
      <form method="post" action={action} noValidate>
        <p>We tell {applicant}, who can then name another person. You can change your mind later.</p>
        <TextArea
          name="reason"
          label="Why not? (optional)"
          hint={t`Only our staff read this. ${applicant} does not.`}
          rows={3}
          maxLength={1000}
          defaultValue={typeof reason === 'string' ? reason : ''}
          error={form.errors['reason']}
        />
        <Button variant="secondary" name="_action" value="decline">
          I cannot give it
        </Button>
      </form>
    </Disclosure>
  );
}
