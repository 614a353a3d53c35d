import { useRef, useState } from 'react';
import type { ComponentProps, MouseEvent } from 'react';
import type { PasskeyProps } from '../api/page.gen';
import { t } from '../api/texts';
import { Button } from './button';
import { FieldError, fieldId } from './field';
import { useHydrated } from './use-hydrated';

interface PasskeyButtonProps extends ComponentProps<typeof Button> {
  passkey: PasskeyProps;
  /** Creates a passkey instead of requesting one. */
  makes?: boolean;
}

/**
 * Submits its form with a passkey, which the browser requests first. Requires JavaScript, and is not rendered without
 * it.
 */
export function PasskeyButton({ passkey, makes = false, children, ...rest }: PasskeyButtonProps) {
  const hydrated = useHydrated();
  const answer = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function send(event: MouseEvent<HTMLButtonElement>) {
    const button = event.currentTarget;
    // On the second click the answer is there, and the form is submitted.
    if (answer.current?.value !== '') return;
    event.preventDefault();
    setError(undefined);
    setBusy(true);
    try {
      answer.current.value = JSON.stringify(await credentialOf(passkey.options, makes));
      button.form?.requestSubmit(button);
      // If the user returns to this page, they are asked again.
      answer.current.value = '';
    } catch (cause) {
      setError(reason(cause));
    } finally {
      setBusy(false);
    }
  }

  if (!hydrated) return null;
  return (
    <div className="stack-small">
      <input type="hidden" name="passkey" ref={answer} defaultValue="" />
      <input type="hidden" name="passkeyState" value={passkey.state} />
      <div>
        <Button
          {...rest}
          id={fieldId('passkey')}
          busy={busy}
          aria-describedby={error ? fieldId('passkey-error') : undefined}
          onClick={(event) => void send(event)}
        >
          {children}
        </Button>
      </div>
      <div role="status">
        <FieldError id={fieldId('passkey-error')}>{error}</FieldError>
      </div>
    </div>
  );
}

async function credentialOf(options: string, makes: boolean): Promise<Credential | null> {
  const publicKey: unknown = JSON.parse(options);
  return makes
    ? navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
          publicKey as PublicKeyCredentialCreationOptionsJSON,
        ),
      })
    : navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
          publicKey as PublicKeyCredentialRequestOptionsJSON,
        ),
      });
}

/** Browsers' own messages are meant for developers. */
function reason(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'NotAllowedError') return t('It was canceled, or took too long. Try again.');
  if (name === 'InvalidStateError') return t('This device already has a passkey for your account.');
  if (name === 'ReferenceError' || name === 'TypeError')
    return t('This browser is too old for passkeys. Use another method.');
  return t('That did not work. Try again, or use another method.');
}
