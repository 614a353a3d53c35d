import { useMemo, useState } from 'react';
import type { Failure, Result } from '../../api/http';
import type { FormState } from '../../api/page.gen';
import { t } from '../../api/texts';
import { summaryErrors } from '../../ui/error-summary';

/** A form that came back from the server or, with JavaScript, is answered in place. */
export function useAccountForm(came: FormState) {
  const [form, setForm] = useState(came);
  const [busy, setBusy] = useState(false);
  const errors = useMemo(() => summaryErrors(form), [form]);

  function fail(fields: Record<string, string>, error?: string) {
    setForm({ values: {}, errors: fields, ...(error ? { error } : {}) });
  }

  /** Makes an API call and shows its outcome: `message` on success. */
  async function run(call: () => Promise<Result>, message: string): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    const result = await call();
    setBusy(false);
    if (result.ok) setForm({ values: {}, errors: {}, message });
    else fail(result.fields ?? {}, sentence(result));
    return result.ok;
  }

  return {
    form,
    errors,
    busy,
    fail,
    run,
    /** The value that the inputs of `name` show: what was typed, otherwise `stored`. */
    field: (name: string, stored = '') => ({
      name,
      error: form.errors[name],
      defaultValue: String(came.values[name] ?? stored),
    }),
  };
}

function sentence({ error, status }: Failure): string {
  return status === 401 ? t('Your session has ended. Log in again to change your account.') : error;
}
