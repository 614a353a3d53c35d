import { useMemo } from 'react';
import type { AdminSecondFactorProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { OfficeLogout } from '../../ui/office-frame';

/** The picture for the app, and the code that proves that the app has read it. */
export function SecondFactorPage({ seed, secret, uri, picture, required, ...form }: AdminSecondFactorProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <h1>Set up a second factor</h1>
      {required ? (
        <Notice tone="info">
          <p>Everybody in the office needs one. You can go on right after.</p>
        </Notice>
      ) : null}
      <ErrorSummary errors={errors} />
      <ol className="office-steps">
        <li>
          <p>
            Open an authenticator app on your phone. Any app that shows codes of six digits will do; your
            phone’s own password manager is often one.
          </p>
        </li>
        <li>
          <p>Let it read this picture.</p>
          <svg
            className="office-qr"
            role="img"
            aria-label="Picture for the authenticator app"
            viewBox={`-4 -4 ${picture.size + 8} ${picture.size + 8}`}
          >
            <path fill="#fff" d={`M-4 -4h${picture.size + 8}v${picture.size + 8}H-4z`} />
            <path fill="#000" d={picture.path} />
          </svg>
          <p className="small">
            On this very phone: <a href={uri}>open the app</a>. Or type the key into it:
          </p>
          <p className="office-key">{secret}</p>
        </li>
        <li>
          <p>Type the code that the app shows now.</p>
          <form method="post" action="/admin-panel/account/second-factor" noValidate>
            <input type="hidden" name="seed" value={seed} />
            <CodeField
              error={form.errors['code']}
              hint="Six digits. If it changes while you type, take the new one."
            />
            <div className="form-actions">
              <Button>Turn it on</Button>
              {required ? null : (
                <ButtonLink variant="quiet" href="/admin-panel/account">
                  Not now
                </ButtonLink>
              )}
            </div>
          </form>
        </li>
      </ol>
      {required ? <OfficeLogout /> : null}
    </div>
  );
}
