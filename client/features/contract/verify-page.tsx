import { useMemo } from 'react';
import type { VerifyProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { Field, TextField } from '../../ui/field';
import { FileButton } from '../../ui/file-button';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';

/** Verifies that a contract is what was signed, and that a file is that contract. */
export function VerifyPage(props: VerifyProps) {
  const { verdict, title, programName, number, compared, comparedWell, hash, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack contract-check">
      <h1>Check a contract</h1>
      <FormOutcome errors={errors} message={form.message} />
      {compared ? (
        <Notice tone={comparedWell ? 'success' : 'error'} role="status" title={compared}>
          <p className="contract-hash">{hash}</p>
        </Notice>
      ) : null}
      <Notice tone={verdict} title={title}>
        <p>
          Contract {number} for the {programName}
        </p>
      </Notice>
      <Facts {...props} />
      {props.fileHash ? <Compare {...props} /> : null}
    </div>
  );
}

function Facts({ signed, countersigned, onPaper, voidedText, textHash, fileHash }: VerifyProps) {
  return (
    <dl className="facts-list">
      {signed ? (
        <div>
          <dt>Signed by the student</dt>
          <dd>
            {signed.name}, {signed.whenText} {onPaper ? <>(on paper)</> : null}
          </dd>
        </div>
      ) : null}
      {countersigned ? (
        <div>
          <dt>Signed for the institute</dt>
          <dd>
            {countersigned.name}, {countersigned.whenText}
          </dd>
        </div>
      ) : null}
      {voidedText ? (
        <div>
          <dt>Voided</dt>
          <dd>{voidedText}</dd>
        </div>
      ) : null}
      {textHash ? (
        <div>
          <dt>SHA-256 of the text</dt>
          <dd className="contract-hash">{textHash}</dd>
        </div>
      ) : null}
      {fileHash ? (
        <div>
          <dt>SHA-256 of the signed file</dt>
          <dd className="contract-hash">{fileHash}</dd>
        </div>
      ) : null}
    </dl>
  );
}

function Compare({ code, form }: VerifyProps) {
  const path = `/verify/${code}`;
  return (
    <section className="stack-small" aria-labelledby="compare-heading">
      <h2 id="compare-heading">Is your file this contract?</h2>
      <p>Choose the file, or enter its SHA-256 if you would rather not send it. We do not keep any of it.</p>
      <form method="post" action={path} encType="multipart/form-data" noValidate>
        <Field label="The file (PDF)" name="file" error={form.errors['file']}>
          {({ id, describedBy }) => (
            <FileButton
              label={t('Choose the file')}
              id={id}
              name="file"
              accept="application/pdf,.pdf"
              aria-describedby={describedBy}
              aria-invalid={form.errors['file'] ? true : undefined}
            />
          )}
        </Field>
        <div className="form-actions">
          <Button>Compare the file</Button>
        </div>
      </form>
      <form method="post" action={path} noValidate>
        <TextField
          label="SHA-256 of the file"
          name="hash"
          autoComplete="off"
          spellCheck={false}
          error={form.errors['hash']}
          defaultValue={String(form.values['hash'] ?? '')}
        />
        <div className="form-actions">
          <Button variant="secondary">Compare the hash</Button>
        </div>
      </form>
    </section>
  );
}
