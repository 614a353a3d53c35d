import { useMemo, useState } from 'react';
import type { AccountProps, FormState } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { FormOutcome } from '../../ui/form-outcome';
import { PasswordField } from '../../ui/password-field';
import { LanguageForm } from './language-form';
import { LinkedProviders } from './linked-providers';
import { NotificationsForm } from './notifications-form';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { SessionList } from './session-list';

const untouched: FormState = { values: {}, errors: {} };

export function AccountPage({
  profile,
  pendingEmail,
  authenticatorApp,
  passkeys,
  reminders,
  language,
  providers,
  sessions,
  forms,
  ...zones
}: AccountProps) {
  const [open, setOpen] = useState(sessions);

  /** A changed password has ended every other session. */
  function passwordChanged() {
    setOpen((all) => all.filter((session) => session.current));
  }

  return (
    <div className="account narrow">
      <h1>Your account</h1>
      <section aria-labelledby="profile-heading">
        <h2 id="profile-heading">Profile</h2>
        <ProfileForm profile={profile} {...zones} came={forms.profile ?? untouched} />
      </section>
      <section aria-labelledby="email-heading">
        <h2 id="email-heading">Email</h2>
        <p>
          You log in with <strong>{profile.email}</strong>, and we write to you there.
        </p>
        {pendingEmail ? (
          <Notice tone="info">
            <p>
              It will change to <strong>{pendingEmail}</strong> when both addresses have confirmed it.
            </p>
          </Notice>
        ) : null}
        <ButtonLink variant="secondary" href="/dashboard/account/email">
          {pendingEmail ? t('See the change') : t('Change email')}
        </ButtonLink>
      </section>
      <section aria-labelledby="password-heading">
        <h2 id="password-heading">Password</h2>
        <p>Changing it logs you out everywhere else.</p>
        <PasswordForm email={profile.email} came={forms.password ?? untouched} onChanged={passwordChanged} />
      </section>
      <LinkedProviders providers={providers} came={forms.providers ?? untouched} />
      <section aria-labelledby="second-factor-heading">
        <h2 id="second-factor-heading">Second factor</h2>
        {forms.secondFactor?.message ? (
          <Notice tone="success" role="status">
            <p>{forms.secondFactor.message}</p>
          </Notice>
        ) : null}
        <p>
          {authenticatorApp || passkeys
            ? t('It is on: your password alone is not enough to log in.')
            : t(
                'It is off: anyone who knows your password can log in. Add a passkey or an authenticator app.',
              )}
        </p>
        <div className="row">
          {passkeys === null ? null : (
            <ButtonLink variant="secondary" href="/dashboard/account/passkeys">
              {passkeys > 0 ? t`Passkeys (${passkeys})` : t('Add a passkey')}
            </ButtonLink>
          )}
          <ButtonLink variant="secondary" href="/dashboard/account/second-factor">
            {authenticatorApp ? t('Authenticator app') : t('Set up an authenticator app')}
          </ButtonLink>
        </div>
      </section>
      <section aria-labelledby="notifications-heading">
        <h2 id="notifications-heading">Notifications</h2>
        <p>What you need to know always comes by email, and to your messages.</p>
        <NotificationsForm reminders={reminders} came={forms.notifications ?? untouched} />
      </section>
      <section aria-labelledby="language-heading">
        <h2 id="language-heading">Language</h2>
        <p>We write to you in this language, and show our pages in it on every device.</p>
        <LanguageForm language={language} came={forms.language ?? untouched} />
      </section>
      <section aria-labelledby="sessions-heading">
        <h2 id="sessions-heading">Where you are logged in</h2>
        <SessionList sessions={open} came={forms.sessions ?? untouched} onEnded={setOpen} />
      </section>
      <section aria-labelledby="theme-heading">
        <h2 id="theme-heading">Theme</h2>
        <p>
          Light, dark, or the same as your device: <a href="#theme">choose the theme</a> at the bottom of any
          page.
        </p>
      </section>
      <section aria-labelledby="data-heading">
        <h2 id="data-heading">Your data</h2>
        <p>
          Everything that we have stored about you, as a zip file with a text file that explains it. We ask
          for your password first, because nothing else shows so much about you at once.
        </p>
        <DataForm came={forms.data ?? untouched} />
      </section>
      <section aria-labelledby="close-heading">
        <h2 id="close-heading">Close your account</h2>
        <p>The page tells first what is deleted and what we have to keep.</p>
        <ButtonLink variant="quiet" href="/dashboard/account/close">
          Close your account
        </ButtonLink>
      </section>
    </div>
  );
}

/** The browser saves the response as a file and stays on the page. */
function DataForm({ came }: { came: FormState }) {
  const errors = useMemo(() => summaryErrors(came), [came]);
  return (
    <form method="post" action="/dashboard/account/data" noValidate>
      <FormOutcome errors={errors} errorTitle="Your data could not be downloaded" message={came.message} />
      <PasswordField
        label="Your password"
        name="dataPassword"
        autoComplete="current-password"
        error={came.errors['dataPassword']}
      />
      <div className="form-actions">
        <Button variant="secondary">Download my data</Button>
      </div>
    </form>
  );
}
