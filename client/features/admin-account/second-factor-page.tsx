import { useMemo } from 'react';
import type { AdminSecondFactorProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { Notice } from '../../ui/notice';
import { OfficeLogout } from '../../ui/office-frame';
import { SecondFactorSteps } from '../../ui/second-factor-steps';

export function SecondFactorPage({ setup, required, passkeys, ...form }: AdminSecondFactorProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <h1>Set up an authenticator app</h1>
      {required ? (
        <Notice tone="info">
          <p>Everybody in the office needs a second factor. You can go on right after.</p>
        </Notice>
      ) : null}
      <ErrorSummary errors={errors} />
      <SecondFactorSteps {...setup}>
        <form method="post" action="/admin-panel/account/second-factor" noValidate>
          <input type="hidden" name="seed" value={setup.seed} />
          <CodeField
            error={form.errors['code']}
            hint="Six digits. If it changes while you type, use the new one."
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
      </SecondFactorSteps>
      {passkeys ? (
        <p>
          No app? A passkey will do as well: <a href="/admin-panel/account/passkeys">add a passkey</a>.
        </p>
      ) : null}
      {required ? <OfficeLogout /> : null}
    </div>
  );
}
