import type { PasskeyInfo } from '../api/page.gen';

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
