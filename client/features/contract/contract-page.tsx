import { useMemo } from 'react';
import type { ContractProps, Language } from '../../api/page.gen';
import { Sheet } from '../../theme/parts/sheet';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { ContractText } from '../../ui/contract-text';
import { Disclosure } from '../../ui/disclosure';
import { summaryErrors } from '../../ui/error-summary';
import { CheckboxField, fieldId, TextArea, TextField, FieldError } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { Notice } from '../../ui/notice';
import { PasswordField } from '../../ui/password-field';

const PATH = '/dashboard/contract';
const SIGN_ID = 'sign-heading';

interface ContractPageProps extends ContractProps {
  contactEmail: string;
  language: Language;
}

/** The contract: its status, its whole text, and how to sign it. */
export function ContractPage(props: ContractPageProps) {
  const { programName, standing, signBy, broken, texts, language, maySign, consented, reason, form } = props;
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="contract stack">
      <BackLink href="/dashboard">Your dashboard</BackLink>
      <h1>Your contract for the {programName}</h1>
      <FormOutcome errors={errors} message={form.message} />
      <p>
        {standing} {signBy ? <>You can sign until {signBy}.</> : null}
      </p>
      {reason ? (
        <Notice tone="info" title="Why">
          <p>{reason}</p>
        </Notice>
      ) : null}
      {broken ? (
        <Notice tone="error" title="This contract cannot be shown">
          <p>
            The stored text is not the one that was sent. Write to{' '}
            <a href={`mailto:${props.contactEmail}`}>{props.contactEmail}</a>, and do not sign anything.
          </p>
        </Notice>
      ) : (
        <>
          <Signatures {...props} />
          {maySign && !consented ? <Consent {...props} /> : null}
          {maySign && consented ? (
            <p>
              <ButtonLink variant="secondary" href={`#${SIGN_ID}`}>
                Go to the signature
              </ButtonLink>
            </p>
          ) : null}
          <Sheet component="article" className="contract-sheet" aria-label="The contract">
            <ContractText texts={texts} language={language} level={2} />
          </Sheet>
          {maySign && consented ? <Sign {...props} /> : null}
          {maySign ? <Decline {...props} /> : null}
        </>
      )}
    </div>
  );
}

function Signatures({ signed, countersigned, onPaper, fileHref, verifyHref, textHash }: ContractPageProps) {
  return (
    <dl className="facts-list">
      {signed ? (
        <div>
          <dt>Signed by you</dt>
          <dd>
            {signed.name}, {signed.whenText} {onPaper ? <>(on paper)</> : null}
          </dd>
        </div>
      ) : null}
      {countersigned ? (
        <div>
          <dt>Signed by us</dt>
          <dd>
            {countersigned.name}, {countersigned.whenText}
          </dd>
        </div>
      ) : null}
      <div>
        <dt>For your records</dt>
        <dd>
          <a href={fileHref} data-document>
            {countersigned ? <>The signed copy (PDF)</> : <>The contract to print (PDF)</>}
          </a>
          {verifyHref ? (
            <>
              {' '}
              · <a href={verifyHref}>Check that it is unchanged</a>
            </>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>SHA-256 of the text</dt>
        <dd className="contract-hash">{textHash}</dd>
      </div>
    </dl>
  );
}

function Consent({ id, contactEmail, form }: ContractPageProps) {
  return (
    <section className="stack-small" aria-labelledby="consent-heading">
      <h2 id="consent-heading">How you want to sign</h2>
      <p>
        You can sign here by typing your name and entering your password. This counts the same as a signature
        on paper. You need a browser that shows this page and opens PDF files.
      </p>
      <p>
        If you would rather sign on paper, print the PDF above, sign it, and send it or a scan of it to{' '}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a>. You can change your mind until you have signed.
      </p>
      <form method="post" action={PATH}>
        <input type="hidden" name="contract" value={id} />
        <FieldError id={fieldId('consent')} tabIndex={-1}>
          {form.errors['consent']}
        </FieldError>
        <div className="form-actions">
          <Button name="_action" value="consent">
            I agree to sign electronically
          </Button>
        </div>
      </form>
    </section>
  );
}

function Sign({ id, fullName, form }: ContractPageProps) {
  return (
    <section className="stack-small narrow" aria-labelledby={SIGN_ID}>
      <h2 id={SIGN_ID} tabIndex={-1}>
        Sign
      </h2>
      <form method="post" action={PATH} noValidate>
        <input type="hidden" name="contract" value={id} />
        <CheckboxField
          name="agree"
          value="yes"
          label="I have read the whole contract, and I agree to it."
          error={form.errors['agree']}
          defaultChecked={form.values['agree'] === 'yes'}
        />
        <TextField
          label="Your full name"
          name="signerName"
          hint={
            <>
              This is your signature. In your account, your name is <strong>{fullName}</strong>.
            </>
          }
          autoComplete="name"
          error={form.errors['signerName']}
          defaultValue={String(form.values['signerName'] ?? '')}
        />
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          error={form.errors['currentPassword']}
        />
        <div className="form-actions">
          <Button name="_action" value="sign">
            Sign the contract
          </Button>
        </div>
      </form>
    </section>
  );
}

function Decline({ id, form }: ContractPageProps) {
  const isOpen = 'declineReason' in form.values;
  return (
    <Disclosure open={isOpen || undefined} summary="I do not want to sign this contract">
      <form className="stack-small narrow" method="post" action={PATH} noValidate>
        <input type="hidden" name="contract" value={id} />
        <p>
          You keep your place for now. Tell us what should be different, and we will get in touch with you. To
          give up your place, withdraw your application on your dashboard.
        </p>
        <TextArea
          label="Why (optional)"
          name="declineReason"
          error={form.errors['declineReason']}
          defaultValue={String(form.values['declineReason'] ?? '')}
        />
        <div className="form-actions">
          <Button variant="secondary" name="_action" value="decline">
            Decline the contract
          </Button>
        </div>
      </form>
    </Disclosure>
  );
}
