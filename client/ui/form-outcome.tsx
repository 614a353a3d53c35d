import { useState } from 'react';
import type { ReactNode } from 'react';
import { ErrorSummary } from './error-summary';
import type { SummaryError } from './error-summary';
import { Toast } from './toast';

interface FormOutcomeProps {
  /** The same array for the same outcome. */
  errors: SummaryError[];
  errorTitle?: string;
  /** The server's message after success. */
  message: string | undefined;
  /** A button that undoes the action. */
  undo?: ReactNode;
}

/** The outcome of a form, above its fields. */
export function FormOutcome({ errors, errorTitle, message, undo }: FormOutcomeProps) {
  // Counts outcomes, as a key for each.
  const [told, setTold] = useState({ errors, count: 0 });
  if (told.errors !== errors) setTold({ errors, count: told.count + 1 });
  return (
    <>
      <ErrorSummary errors={errors} title={errorTitle} />
      {message ? <Toast key={told.count} message={message} action={undo} /> : null}
    </>
  );
}
