import { useMemo } from 'react';
import type { AdminLoginProps } from '../../api/page';
import { Button } from '../../ui/button';
import { ErrorSummary, summaryErrors } from '../../ui/error-summary';
import { TextField } from '../../ui/field';
import { PasswordField } from '../../ui/password-field';

/** Where staff log in. Staff and applicants share no account, so there is nothing to register here. */
export function AdminLoginPage(form: AdminLoginProps) {
  const { staff } = form;
  const errors = useMemo(() => summaryErrors(form), [form]);

  if (staff) {
    return (
      <div className="narrow stack">
        <h1>Admissions office</h1>
        <p>
          You are signed in as {staff.email} ({staff.role}). The office’s pages are not open yet.
        </p>
        <form method="post" action="/admin-panel/logout">
          <Button variant="secondary">Log out</Button>
        </form>
      </div>
    );
  }

  return (
    <div className="narrow stack">
      <h1>Admissions office</h1>
      <p>For staff. Accounts are given by invitation.</p>
      <form method="post" action="/admin-panel/login" noValidate>
        <ErrorSummary errors={errors} />
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={form.errors['email']}
          defaultValue={String(form.values['email'] ?? '')}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={form.errors['password']}
        />
        <div className="form-actions">
          <Button>Log in</Button>
        </div>
      </form>
    </div>
  );
}
