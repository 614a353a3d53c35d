import { useMemo } from 'react';
import type { PasskeyConfirm, PasskeyInfo, PasskeyProps, PasskeysProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Lines } from '../../theme/parts/lines';
import { SessionLine } from '../../theme/parts/session-line';
import { BackLink } from '../../ui/back-link';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { PasskeyButton } from '../../ui/passkey-button';
import { BeforeAdding, PasskeyWords } from '../../ui/passkey-words';
import { PasswordField } from '../../ui/password-field';
import { PasswordOwner } from '../../ui/password-owner';
import { useHydrated } from '../../ui/use-hydrated';

const PATH = '/dashboard/account/passkeys';

/** Lists, adds and removes passkeys. */
export function PasskeysPage(props: PasskeysProps) {
  const { confirm } = props;
  return (
    <div className="narrow stack">
      {confirm ? (
        <BackLink href={PATH}>Passkeys</BackLink>
      ) : (
        <BackLink href="/dashboard/account">Your account</BackLink>
      )}
      {confirm ? <Confirm {...props} confirm={confirm} /> : <Overview {...props} />}
    </div>
  );
}

function Overview({ email, passkeys, new: added, secondFactor, recoveryCodesLeft, form }: PasskeysProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <>
      <h1>Passkeys</h1>
      <p>
        A passkey logs you in with your fingerprint, your face, or your device’s PIN. You do not need a
        password, and a fake copy of this site cannot use it.
      </p>
      <FormOutcome errors={errors} message={form.message} />
      {passkeys.length > 0 ? (
        <Lines aria-label={t('Your passkeys')}>
          {passkeys.map((passkey) => (
            <SessionLine key={passkey.id}>
              <div>
                <strong>{passkey.device}</strong>
                <PasskeyWords {...passkey} />
              </div>
              <ButtonLink variant="quiet" href={`${PATH}?remove=${passkey.id}`}>
                Remove
                <span className="visually-hidden">: {passkey.device}</span>
              </ButtonLink>
            </SessionLine>
          ))}
        </Lines>
      ) : (
        <p>You have no passkey yet.</p>
      )}
      {added ? (
        <section className="stack-small" aria-labelledby="add-heading">
          <h2 id="add-heading">Add a passkey</h2>
          <BeforeAdding secondFactor={secondFactor} />
          <AddForm email={email} added={added} error={form.errors['currentPassword']} />
        </section>
      ) : (
        <p>Passkeys do not work at this address.</p>
      )}
      {secondFactor ? (
        <section className="stack-small" aria-labelledby="codes-heading">
          <h2 id="codes-heading">Recovery codes</h2>
          {recoveryCodesLeft === 1 ? (
            <p>You have 1 recovery code left.</p>
          ) : (
            <p>You have {recoveryCodesLeft} recovery codes left.</p>
          )}
          <ButtonLink variant="secondary" href={`${PATH}?codes=new`}>
            Make new recovery codes
          </ButtonLink>
        </section>
      ) : null}
    </>
  );
}

interface AddFormProps {
  email: string;
  added: PasskeyProps;
  error: string | undefined;
}

/** Renders nothing without JavaScript: no button could send it. */
function AddForm({ email, added, error }: AddFormProps) {
  if (!useHydrated()) return null;
  return (
    <form method="post" action={PATH} noValidate>
      <PasswordOwner email={email} />
      <PasswordField
        label="Your password"
        name="currentPassword"
        autoComplete="current-password"
        error={error}
      />
      <PasskeyButton passkey={added} makes name="_action" value="add">
        Add a passkey
      </PasskeyButton>
    </form>
  );
}

function Confirm({ email, confirm, form }: PasskeysProps & { confirm: PasskeyConfirm }) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const { removed, authenticatorApp, passkey } = confirm;
  const action = { name: '_action', value: removed ? 'remove' : 'codes' };
  return (
    <>
      {removed ? <Removal {...removed} /> : <Renewal />}
      <form method="post" action={PATH} noValidate>
        <FormOutcome errors={errors} message={form.message} />
        <PasswordOwner email={email} />
        {removed ? <input type="hidden" name="id" value={removed.id} /> : null}
        <PasswordField
          label="Your password"
          name="currentPassword"
          autoComplete="current-password"
          error={form.errors['currentPassword']}
        />
        <CodeField error={form.errors['code']} authenticatorApp={authenticatorApp} />
        <div className="form-actions">
          <Button {...action}>{removed ? t('Remove it') : t('Make new recovery codes')}</Button>
          <ButtonLink variant="quiet" href={PATH}>
            Cancel
          </ButtonLink>
        </div>
        {passkey ? (
          <PasskeyButton passkey={passkey} variant="secondary" {...action}>
            {removed ? t('Remove it using a passkey') : t('Make them using a passkey')}
          </PasskeyButton>
        ) : null}
      </form>
    </>
  );
}

function Removal({ device, ...passkey }: PasskeyInfo) {
  return (
    <>
      <h1>Remove this passkey?</h1>
      <p>
        You will no longer be able to log in with it. Delete it from your device, too: only you can do that.
      </p>
      <div>
        <strong>{device}</strong>
        <PasskeyWords {...passkey} />
      </div>
    </>
  );
}

function Renewal() {
  return (
    <>
      <h1>New recovery codes</h1>
      <p>They replace the ones you have.</p>
    </>
  );
}
