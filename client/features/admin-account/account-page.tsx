import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { AdminAccountProps, FormState } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { CheckboxField, TextField } from '../../ui/field';
import { FormOutcome } from '../../ui/form-outcome';
import { OfficeList } from '../../ui/office-list';
import { NewPasswordFields, PasswordField } from '../../ui/password-field';
import { PasswordOwner } from '../../ui/password-owner';
import { Tag } from '../../ui/tag';

const untouched: FormState = { values: {}, errors: {} };
const PATH = '/admin-panel/account';

/** The user's own staff account. */
export function AdminAccountPage(props: AdminAccountProps) {
  const { forms } = props;
  return (
    <div className="narrow stack office-sections">
      <h1>Your account</h1>
      <p>
        You log in with <strong>{props.signOn ?? props.email}</strong>.{' '}
        {props.signOn ? (
          <>
            Your email is <strong>{props.email}</strong>.{' '}
          </>
        ) : null}
        You are <strong>{props.role}</strong>. {props.purpose}
      </p>
      <Section id="name" heading="Name">
        <NameForm name={props.name} form={forms.name ?? untouched} />
      </Section>
      <Section id="second-factor" heading="Second factor">
        <SecondFactor {...props} form={forms.secondFactor ?? untouched} />
      </Section>
      {props.hasPassword ? (
        <Section id="password" heading="Password">
          <p>Changing it logs you out everywhere else.</p>
          <PasswordForm email={props.email} form={forms.password ?? untouched} />
        </Section>
      ) : null}
      <Section id="sessions" heading="Where you are logged in">
        <Sessions sessions={props.sessions} form={forms.sessions ?? untouched} />
      </Section>
      <Section id="keys" heading="API keys">
        <p>For programs that work with applications in your name.</p>
        <div className="row">
          <ButtonLink variant="secondary" href={`${PATH}/keys`}>
            Manage API keys
          </ButtonLink>
        </div>
      </Section>
      <Section id="leave" heading="Leave the office">
        <p>
          Your account is removed, and your email becomes free. What you did stays in the record. If you are
          the last Owner, make somebody else Owner first.
        </p>
        <LeaveForm form={forms.leave ?? untouched} />
      </Section>
    </div>
  );
}

function Section({ id, heading, children }: { id: string; heading: string; children: ReactNode }) {
  return (
    <section className="stack-small" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{heading}</h2>
      {children}
    </section>
  );
}

function NameForm({ name, form }: { name: string; form: FormState }) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <form method="post" action={PATH} noValidate>
      <FormOutcome errors={errors} message={form.message} />
      <TextField
        label="Your name"
        name="name"
        hint="As your colleagues read it."
        autoComplete="name"
        required
        defaultValue={String(form.values['name'] ?? name)}
        error={form.errors['name']}
      />
      <div className="form-actions">
        <Button name="_action" value="name">
          Save name
        </Button>
      </div>
    </form>
  );
}

function SecondFactor({
  authenticatorApp,
  passkeys,
  secondFactorRequired,
  recoveryCodesLeft,
  signOn,
  hasPassword,
  form,
}: AdminAccountProps & { form: FormState }) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const provider = signOn ?? 'your identity provider';
  const outcome = <FormOutcome errors={errors} message={form.message} />;
  const appLink = (
    <ButtonLink variant="secondary" href={`${PATH}/second-factor`}>
      Set up an authenticator app
    </ButtonLink>
  );
  const passkeyLink =
    passkeys === null ? null : (
      <ButtonLink variant="secondary" href={`${PATH}/passkeys`}>
        {passkeys > 0 ? `Passkeys (${passkeys})` : 'Add a passkey'}
      </ButtonLink>
    );
  if (!authenticatorApp && !passkeys) {
    return (
      <>
        {outcome}
        <p>
          <Tag shape="circle">Off</Tag>{' '}
          {hasPassword
            ? 'Whoever learns your password can log in. With a passkey, or an app that shows codes, they cannot.'
            : `You need none if ${provider} asks for one itself. Otherwise a passkey, or an app that shows codes, keeps out whoever gets into your account there.`}
        </p>
        <div className="row">
          {passkeyLink}
          {appLink}
        </div>
      </>
    );
  }
  return (
    <>
      {outcome}
      <p>
        <Tag shape="check">On</Tag>{' '}
        {hasPassword
          ? 'Your password alone does not log you in.'
          : `It is asked for after ${provider}, unless that asks for a second factor itself.`}{' '}
        {recoveryCodesLeft === 1
          ? 'You have 1 recovery code left.'
          : `You have ${recoveryCodesLeft} recovery codes left.`}
      </p>
      <div className="row">
        {passkeyLink}
        {authenticatorApp ? null : appLink}
        <form method="post" action={`${PATH}/recovery-codes`}>
          <Button variant="secondary">Make new recovery codes</Button>
        </form>
        {!authenticatorApp || (secondFactorRequired && !passkeys) ? null : (
          <form method="post" action={`${PATH}/second-factor/off`}>
            <Button variant="quiet">Turn the app off</Button>
          </form>
        )}
      </div>
      {secondFactorRequired ? (
        <p className="hint">Everybody in the office needs one, so it stays on.</p>
      ) : null}
    </>
  );
}

function PasswordForm({ email, form }: { email: string; form: FormState }) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const field = (name: string) => ({ name, error: form.errors[name] });
  return (
    <form method="post" action={PATH} noValidate>
      <FormOutcome errors={errors} message={form.message} />
      <PasswordOwner email={email} />
      <PasswordField label="Current password" autoComplete="current-password" {...field('currentPassword')} />
      <NewPasswordFields label="New password" field={field} />
      <div className="form-actions">
        <Button name="_action" value="password">
          Change password
        </Button>
      </div>
    </form>
  );
}

function Sessions({ sessions, form }: { sessions: AdminAccountProps['sessions']; form: FormState }) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <form method="post" action={PATH}>
      <FormOutcome errors={errors} errorTitle="The session has not ended" message={form.message} />
      <OfficeList label="Sessions">
        {sessions.map((session) => (
          <OfficeItem key={session.id}>
            <div>
              <strong>{session.device}</strong>{' '}
              {session.current ? <Tag shape="check">This session</Tag> : null}
              <p className="small">
                Logged in {session.startedText}
                <br />
                Last seen {session.lastSeenText}
              </p>
            </div>
            {session.current ? null : (
              <Button variant="quiet" name="_action" value={`end-session:${session.id}`}>
                End
                <span className="visually-hidden"> the session on {session.device}</span>
              </Button>
            )}
          </OfficeItem>
        ))}
      </OfficeList>
      {sessions.length > 1 ? (
        <Button variant="secondary" name="_action" value="end-other-sessions">
          End all other sessions
        </Button>
      ) : (
        <p className="hint">You are not logged in anywhere else.</p>
      )}
    </form>
  );
}

function LeaveForm({ form }: { form: FormState }) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <form method="post" action={`${PATH}/leave`} noValidate>
      <FormOutcome errors={errors} message={form.message} />
      <CheckboxField
        name="confirm"
        value="yes"
        label="Remove my account. I know that this cannot be undone."
        error={form.errors['confirm']}
      />
      <div className="form-actions">
        <Button variant="secondary">Leave the office</Button>
      </div>
    </form>
  );
}
