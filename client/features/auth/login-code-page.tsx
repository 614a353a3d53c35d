import { useMemo } from 'react';
import type { LoginCodeProps } from '../../api/page.gen';
import { Button, ButtonLink } from '../../ui/button';
import { CodeField } from '../../ui/code-field';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';

/** The second step of a login. */
export function LoginCodePage({ redirect, restartHref, contactEmail, form }: LoginCodeProps) {
  const errors = useMemo(() => summaryErrors(form), [form]);
  return (
    <div className="narrow stack">
      <h1>One more step</h1>
      <form className="stack" method="post" action="/login/code" noValidate>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="redirect" value={redirect} />
        <CodeField error={form.errors['code']} />
        <div className="form-actions">
          <Button>Log in</Button>
          <ButtonLink variant="quiet" href={restartHref}>
            Start again
          </ButtonLink>
        </div>
      </form>
      <p className="hint">
        No app at hand and no recovery code left? Write to{' '}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
      </p>
    </div>
  );
}
