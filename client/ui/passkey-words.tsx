import type { PasskeyInfo } from '../api/page.gen';

/** Above the form that adds one: what changes with the first second factor, and what it takes. */
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

/** Since when there is a passkey, and when it was used. */
export function PasskeyWords({ addedText, lastUsedText }: Pick<PasskeyInfo, 'addedText' | 'lastUsedText'>) {
  return (
    <p className="small">
      Added {addedText}
      <br />
      {lastUsedText ? <>Last used {lastUsedText}</> : <>Not used yet</>}
    </p>
  );
}
