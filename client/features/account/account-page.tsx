import { useState } from 'react';
import type { AccountProps, FormState } from '../../api/page';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { SessionList } from './session-list';

const untouched: FormState = { values: {}, errors: {} };

export function AccountPage({ profile, sessions, forms, ...zones }: AccountProps) {
  const [open, setOpen] = useState(sessions);

  /** A changed password has ended every other session. */
  function passwordChanged() {
    setOpen((all) => all.filter((session) => session.current));
  }

  return (
    <div className="account narrow">
      <h1>Your account</h1>
      <p>
        You log in with <strong>{profile.email}</strong>.
      </p>
      <section aria-labelledby="profile-heading">
        <h2 id="profile-heading">Profile</h2>
        <ProfileForm profile={profile} {...zones} came={forms.profile ?? untouched} />
      </section>
      <section aria-labelledby="password-heading">
        <h2 id="password-heading">Password</h2>
        <p>Changing it logs you out everywhere else.</p>
        <PasswordForm email={profile.email} came={forms.password ?? untouched} onChanged={passwordChanged} />
      </section>
      <section aria-labelledby="sessions-heading">
        <h2 id="sessions-heading">Where you are logged in</h2>
        <SessionList sessions={open} came={forms.sessions ?? untouched} onEnded={setOpen} />
      </section>
      <section aria-labelledby="theme-heading">
        <h2 id="theme-heading">Theme</h2>
        <p>
          Light, dark, or as your device has it: <a href="#theme">choose the theme</a> at the bottom of any
          page.
        </p>
      </section>
    </div>
  );
}
