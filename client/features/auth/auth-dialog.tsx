import { useEffect, useMemo, useRef, useState } from 'react';
import type { FormEvent, MouseEvent, ReactNode } from 'react';
import { countries } from '../../api/countries.gen';
import { dialCodes } from '../../api/dial-codes.gen';
import type { AuthMode, FormState, ProgramPath, SignOnLink } from '../../api/page.gen';
import { forgotPassword, login, register } from '../../api/session';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { Dialog } from '../../ui/dialog';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { emailInput, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { NewPasswordFields, PasswordField, repeatError } from '../../ui/password-field';
import { PersonFields, PlaceFields } from '../../ui/person-fields';
import type { FieldSource } from '../../ui/person-fields';
import { remember } from './draft';
import type { Draft } from './draft';
import { dialogHref } from './links';
import { registrationOf } from './registration';

const titles: Record<AuthMode, string> = {
  login: t('Log in'),
  register: t('Create Your Admissions Account'),
  'forgot-password': t('Reset your password'),
};

const untouched: FormState = { values: {}, errors: {} };

interface AuthDialogProps {
  program: ProgramPath;
  mode: AuthMode;
  /** Where to go after logging in; without JavaScript the server redirects there. */
  redirect: string;
  /** Whether passkeys are available to browsers here. */
  passkeys: boolean;
  /** Identity providers to log in with. */
  signOn?: SignOnLink[] | undefined;
  /** A posted form that came back, for `mode`. */
  form?: FormState | undefined;
  /** Keeps what was typed while the dialog is closed. */
  draft: Draft;
  /** Address of the page without the dialog. */
  closeHref: string;
  onMode: (mode: AuthMode) => void;
  onClose: () => void;
  /** Called after login: the session exists, but the page is still unchanged. */
  onLoggedIn: () => void | Promise<void>;
}

/** Login, registration and password reset: one dialog with three modes. */
export function AuthDialog(props: AuthDialogProps) {
  const { mode, draft, closeHref, onMode, onClose } = props;
  const container = useRef<HTMLDivElement>(null);

  function close() {
    remember(draft, container.current);
    onClose();
  }

  function switchTo(next: AuthMode) {
    remember(draft, container.current);
    onMode(next);
  }

  return (
    <Dialog title={titles[mode]} onClose={close} closeHref={closeHref}>
      <div ref={container}>
        <AuthForm key={mode} {...props} onMode={switchTo} onClose={close} />
      </div>
    </Dialog>
  );
}

function AuthForm(props: AuthDialogProps) {
  const { mode, program, redirect, draft, onLoggedIn } = props;
  const [form, setForm] = useState(props.form ?? untouched);
  const [busy, setBusy] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const errors = useMemo(() => summaryErrors(form), [form]);

  const field: FieldSource = (name) => ({
    name,
    error: form.errors[name],
    defaultValue: draft.get(name) ?? String(form.values[name] ?? ''),
  });

  function fail(error: string | undefined, fields: Record<string, string> = {}) {
    const { values, message } = form;
    // What came filled in stays.
    setForm({ values, errors: fields, ...(error ? { error } : {}), ...(message ? { message } : {}) });
    setBusy(false);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const typed = new FormData(event.currentTarget);
    const email = String(typed.get('email')).trim();

    if (mode === 'forgot-password') {
      if (!email) return fail(undefined, { email: t('Please enter your email address') });
      setBusy(true);
      const result = await forgotPassword(email);
      if (!result.ok) return fail(result.error, result.fields);
      setForm({ values: {}, errors: {}, message: result.message });
      return setBusy(false);
    }

    const mismatch = mode === 'register' ? repeatError(typed) : null;
    if (mismatch) return fail(undefined, mismatch);
    setBusy(true);
    const result =
      mode === 'login'
        ? await login(email, String(typed.get('password')), asksCode ? String(typed.get('code')) : undefined)
        : await register(registrationOf(typed, program));
    if (!result.ok && !asksCode && result.fields?.['code']) {
      // The password was correct, and the account has a second factor.
      setAsksCode(true);
      return fail(undefined);
    }
    if (!result.ok) return fail(result.error, result.fields);
    draft.clear();
    // Stays busy: what follows replaces the dialog.
    return onLoggedIn();
  }

  if (form.message && mode === 'forgot-password') return <Requested {...props} message={form.message} />;

  return (
    <form
      method="post"
      action={`/auth/${mode}`}
      // Errors are in our own words, the same with and without JavaScript.
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <input type="hidden" name="program" value={program} />
      {mode === 'forgot-password' ? null : <input type="hidden" name="redirect" value={redirect} />}
      {form.message ? <Introduction message={form.message} /> : null}
      <ErrorSummary errors={errors} />
      {mode === 'login' ? (
        <div className="auth-login" hidden={asksCode}>
          <LoginFields field={field} />
        </div>
      ) : null}
      {asksCode ? <CodeField autoFocus error={form.errors['code']} /> : null}
      {mode === 'register' ? <RegisterFields field={field} asks={form.asks} /> : null}
      {mode === 'forgot-password' ? <ForgotFields field={field} /> : null}
      {mode === 'forgot-password' ? (
        <div className="form-actions">
          <Button busy={busy}>{busy ? t('Requesting...') : t('Request Reset')}</Button>
          <ModeLink {...props} to="login" button>
            Cancel
          </ModeLink>
        </div>
      ) : (
        <div className="form-actions">
          <Button className="auth-submit" busy={busy}>
            {busy ? t('Submitting...') : mode === 'login' ? t('Log in') : t('Create account')}
          </Button>
        </div>
      )}
      {mode === 'login' && props.signOn ? (
        <div className="auth-providers">
          {props.signOn.map(({ href, name }) => (
            // The browser follows it: it leads to another site.
            <ButtonLink
              key={href}
              variant="secondary"
              href={`${href}?redirect=${encodeURIComponent(redirect)}`}
              data-document
            >
              Log in with {name}
            </ButtonLink>
          ))}
        </div>
      ) : null}
      {mode === 'login' ? (
        <div className="auth-links">
          {props.passkeys ? (
            <ButtonLink variant="quiet" href={`/login/passkey?redirect=${encodeURIComponent(redirect)}`}>
              Log in with a passkey
            </ButtonLink>
          ) : null}
          <ModeLink {...props} to="register">
            New user? Register
          </ModeLink>
          <ModeLink {...props} to="forgot-password">
            Forgot Password?
          </ModeLink>
        </div>
      ) : null}
      {mode === 'register' ? (
        <div className="auth-links">
          <ModeLink {...props} to="login">
            Already have an account? Login
          </ModeLink>
        </div>
      ) : null}
    </form>
  );
}

/** What the form is for, read before its fields: it takes their focus. */
function Introduction({ message }: { message: string }) {
  return (
    <div className="auth-introduction" tabIndex={-1} autoFocus>
      <Notice tone="info">
        <p>{message}</p>
      </Notice>
    </div>
  );
}

/** Replaces the form and takes over its focus. */
function Requested({ message, ...props }: AuthDialogProps & { message: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="stack" ref={box} tabIndex={-1}>
      <Notice tone="success">
        <p>{message}</p>
      </Notice>
      <ModeLink {...props} to="login" button>
        Back to Login
      </ModeLink>
    </div>
  );
}

interface ModeLinkProps extends Pick<AuthDialogProps, 'closeHref' | 'redirect' | 'onMode'> {
  to: AuthMode;
  /** Looks like a button. */
  button?: boolean;
  children: ReactNode;
}

function ModeLink({ to, button, closeHref, redirect, onMode, children }: ModeLinkProps) {
  function go(event: MouseEvent) {
    event.preventDefault();
    onMode(to);
  }
  return (
    <ButtonLink
      variant={button ? 'secondary' : 'quiet'}
      href={dialogHref(closeHref, to, redirect)}
      onClick={go}
    >
      {children}
    </ButtonLink>
  );
}

function LoginFields({ field }: { field: FieldSource }) {
  return (
    <>
      <TextField {...emailInput} autoComplete="username" autoFocus {...field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
    </>
  );
}

function ForgotFields({ field }: { field: FieldSource }) {
  return (
    <TextField
      {...emailInput}
      autoComplete="username"
      autoFocus
      hint="We will send a link to the email address of your account."
      {...field('email')}
    />
  );
}

const dialCodeOptions = countries.map(({ code, name }) => ({
  value: code,
  label: `${name} (+${dialCodes.get(code)?.[0]})`,
}));

function RegisterFields({ field, asks }: { field: FieldSource; asks: FormState['asks'] }) {
  return (
    <>
      <PersonFields field={field} asks={asks} autoFocus />
      <PlaceFields
        asks={asks}
        countryLabel="Country code"
        countryOptions={dialCodeOptions}
        phoneHint="Without the country code."
        phoneAutoComplete="tel-national"
        field={field}
      />
      <TextField {...emailInput} autoComplete="email" {...field('email')} />
      <NewPasswordFields label="Password" field={field} />
    </>
  );
}
