import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import { useEffect, useId, useRef } from 'react';
import { t } from '../api/texts';
import { fieldId } from './field';
import { reveal } from './reveal';

export interface SummaryError {
  /** The input's name; empty for an error of the whole form. */
  name: string;
  message: string;
  /** Where to correct it, if that is on another page. */
  href?: string;
}

/** Returns the errors of a form, from its `FormState`. The form's own error only counts if no field has one. */
export function summaryErrors(form: { errors: Record<string, string>; error?: string }): SummaryError[] {
  const fields = Object.entries(form.errors).map(([name, message]) => ({ name, message }));
  if (fields.length > 0 || !form.error) return fields;
  return [{ name: '', message: form.error }];
}

interface ErrorSummaryProps {
  errors: SummaryError[];
  title?: string | undefined;
  /** Part of a requested page rather than the answer to a form: neither interrupts nor takes the focus. */
  quiet?: boolean;
}

/**
 * All errors of a form, above it, each linking to its field. Takes the focus whenever `errors` is a new array, so keep
 * the same array between renders.
 */
export function ErrorSummary({
  errors,
  title = t('Please check the form'),
  quiet = false,
}: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const heading = useId();

  useEffect(() => {
    if (errors.length > 0 && !quiet) box.current?.focus();
  }, [errors, quiet]);

  if (errors.length === 0) return null;
  const [first] = errors;
  const only = errors.length === 1 && first?.name === '' ? first.message : null;
  return (
    <Alert
      severity="error"
      icon={false}
      className="error-summary"
      ref={box}
      tabIndex={-1}
      role={quiet ? 'group' : 'alert'}
      aria-labelledby={heading}
      // For pages that answer a form post without JavaScript.
      autoFocus={!quiet}
    >
      <AlertTitle component="p" id={heading}>
        {only ?? title}
      </AlertTitle>
      {only ? null : <ErrorLinks errors={errors} />}
    </Alert>
  );
}

function ErrorLinks({ errors }: { errors: SummaryError[] }) {
  return (
    <ul>
      {errors.map((error) => (
        <li key={error.name || error.message}>
          {error.name ? (
            <a
              href={error.href ?? `#${fieldId(error.name)}`}
              onClick={(event) => {
                if (error.href) return;
                const field = document.getElementById(fieldId(error.name));
                if (!field) return;
                event.preventDefault();
                reveal(field);
                field.focus();
              }}
            >
              {error.message}
            </a>
          ) : (
            error.message
          )}
        </li>
      ))}
    </ul>
  );
}
