import { useMemo } from 'react';
import type { SecondFactorProps } from '../../api/page.gen';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { PasskeyButton } from '../../ui/passkey-button';
import { PasswordField } from '../../ui/password-field';
import { PasswordOwner } from '../../ui/password-owner';
import { SecondFactorSteps } from '../../ui/second-factor-steps';

const PATH = '/dashboard/account/second-factor';

/** Sets up an authenticator app; if there is one, offers new recovery codes and turning it off. */
export function SecondFactorPage(props: SecondFactorProps) {
  const { setup } = props;
  return (
    <div className="narrow stack">
      <BackLink href="/dashboard/account">Your account</BackLink>
      {setup ? <SetUp {...props} setup={setup} /> : <TurnedOn {...props} />}
    </div>
  );
}

function SetUp({
  email,
  setup,
  form,
}: SecondFactorProps & { setup: NonNullable<SecondFactorProps['setup']> }) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <>
      <h1>Set up an authenticator app</h1>
      <p>
        With it, logging in requires a code from an app on your phone after the password. Someone who learns
        your password still cannot log in. Whether you use it is up to you.
      </p>
      <FormOutcome errors={errors} message={form.message} />
      <SecondFactorSteps {...setup}>
        <form method="post" action={PATH} noValidate>
          <input type="hidden" name="seed" value={setup.seed} />
          <PasswordOwner email={email} />
          <CodeField
            error={form.errors['code']}
            hint="Six digits. If it changes while you type, use the new one."
          />
          <PasswordField
            label="Your password"
            name="currentPassword"
            autoComplete="current-password"
            error={form.errors['currentPassword']}
          />
          <div className="form-actions">
            <Button name="_action" value="on">
              Turn it on
            </Button>
            <ButtonLink variant="quiet" href="/dashboard/account">
              Not now
            </ButtonLink>
          </div>
        </form>
      </SecondFactorSteps>
    </>
  );
}

function TurnedOn({ email, recoveryCodesLeft, passkey, form }: SecondFactorProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <>
      <h1>Your authenticator app</h1>
      <p>Logging in requires a code from your authenticator app.</p>
      {recoveryCodesLeft === 1 ? (
        <p>You have 1 recovery code left.</p>
      ) : (
        <p>You have {recoveryCodesLeft} recovery codes left.</p>
      )}
      <p>
        New recovery codes replace the old ones. You can also turn the app off, for example before you switch
        to another phone, and set it up there.
      </p>
      <form method="post" action={PATH} noValidate>
        <FormOutcome errors={errors} message={form.message} />
        <PasswordOwner email={email} />
        <PasswordField
          label="Your password"
          name="currentPassword"
          autoComplete="current-password"
          error={form.errors['currentPassword']}
        />
        <CodeField error={form.errors['code']} />
        <div className="form-actions">
          <Button name="_action" value="codes">
            Make new recovery codes
          </Button>
          <Button variant="secondary" name="_action" value="off">
            Turn it off
          </Button>
        </div>
        {passkey ? (
          <PasskeyButton passkey={passkey} variant="secondary" name="_action" value="off">
            Turn it off using a passkey
          </PasskeyButton>
        ) : null}
      </form>
    </>
  );
}
