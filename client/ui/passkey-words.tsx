import type { PasskeyInfo } from '../api/page.gen';

/** Shown above the form that adds one: what the first second factor changes, and what is required. */
export function BeforeAdding({ secondFactor }: { secondFactor: boolean }) {
  return (
    <>
      {secondFactor ? null : (
        <p>
          Once you have a passkey, your password alone is no longer enough to log in, and you will be logged
          out everywhere else. You will get recovery codes in case you lose your device.
        </p>
      )}
      <noscript>
        <p>To add a passkey, switch on JavaScript in your browser.</p>
      </noscript>
    </>
  );
}

/** When a passkey was added and last used. */
export function PasskeyWords({ addedText, lastUsedText }: Pick<PasskeyInfo, 'addedText' | 'lastUsedText'>) {
  return (
    <p className="small">
      Added {addedText}
      <br />
      {lastUsedText ? <>Last used {lastUsedText}</> : <>Not used yet</>}
    </p>
  );
}
