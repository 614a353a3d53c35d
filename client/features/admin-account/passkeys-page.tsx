import { useMemo } from 'react';
import type { AdminPasskeysProps } from '../../api/page.gen';
import { OfficeItem } from '../../theme/parts/office-list';
import { BackLink } from '../../ui/back-link';
import { Button } from '../../ui/button';
import { summaryErrors } from '../../ui/error-summary';
import { FormOutcome } from '../../ui/form-outcome';
import { OfficeLogout } from '../../ui/office-frame';
import { OfficeList } from '../../ui/office-list';
import { PasskeyButton } from '../../ui/passkey-button';
import { BeforeAdding, PasskeyWords } from '../../ui/passkey-words';

const PATH = '/admin-panel/account/passkeys';

/** The passkeys of a member of staff. */
export function PasskeysPage({ passkeys, new: added, secondFactor, required, form }: AdminPasskeysProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  const lacksOne = required && !secondFactor;
  return (
    <div className="narrow stack">
      {lacksOne ? (
        <BackLink href="/admin-panel/account/second-factor">Set up an authenticator app</BackLink>
      ) : (
        <BackLink href="/admin-panel/account">Your account</BackLink>
      )}
      <h1>Passkeys</h1>
      <p>
        A passkey logs you in with your fingerprint, your face or the PIN of your device, without your
        password. A fake copy of this site cannot use it.
      </p>
      <FormOutcome errors={errors} message={form.message} />
      {passkeys.length > 0 ? (
        <form method="post" action={PATH}>
          <OfficeList label="Your passkeys">
            {passkeys.map((passkey) => (
              <OfficeItem key={passkey.id}>
                <div>
                  <strong>{passkey.device}</strong>
                  <PasskeyWords {...passkey} />
                </div>
                <Button variant="quiet" name="_action" value={`remove:${passkey.id}`}>
                  Remove
                  <span className="visually-hidden"> the passkey of {passkey.device}</span>
                </Button>
              </OfficeItem>
            ))}
          </OfficeList>
        </form>
      ) : (
        <p>You have no passkey yet.</p>
      )}
      {added ? (
        <>
          <BeforeAdding secondFactor={secondFactor} />
          <form method="post" action={PATH}>
            <PasskeyButton passkey={added} makes name="_action" value="add">
              Add a passkey
            </PasskeyButton>
          </form>
        </>
      ) : (
        <p>Passkeys do not work at this address.</p>
      )}
      {lacksOne ? <OfficeLogout /> : null}
    </div>
  );
}
