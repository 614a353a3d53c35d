import type { ReactNode } from 'react';
import type { SecondFactorSetup } from '../api/page.gen';

/** The QR code for the authenticator app, and the form that proves that the app has scanned it. */
export function SecondFactorSteps({
  secret,
  uri,
  picture,
  children,
}: SecondFactorSetup & { children: ReactNode }) {
  return (
    <ol className="factor-steps">
      <li>
        <p>
          Open an authenticator app on your phone. Any app that shows codes of six digits will do; your
          phone’s own password manager is often one.
        </p>
      </li>
      <li>
        <p>Scan this QR code with it.</p>
        <svg
          className="factor-qr"
          role="img"
          aria-label="QR code for the authenticator app"
          viewBox={`-4 -4 ${picture.size + 8} ${picture.size + 8}`}
        >
          <path fill="#fff" d={`M-4 -4h${picture.size + 8}v${picture.size + 8}H-4z`} />
          <path fill="#000" d={picture.path} />
        </svg>
        <p className="small">
          On this phone: <a href={uri}>open the app</a>. Or type this key into it:
        </p>
        <p className="secret-text">{secret}</p>
      </li>
      <li>
        <p>Type the code that the app shows now.</p>
        {children}
      </li>
    </ol>
  );
}
