import { useState } from 'react';
import type { ReactNode } from 'react';
import { ErrorSummary } from './error-summary';
import type { SummaryError } from './error-summary';
import { Toast } from './toast';

interface FormOutcomeProps {
  /** The same array as long as it is the same outcome. */
  errors: SummaryError[];
  errorTitle?: string;
  /** What the server said after success. */
  message: string | undefined;
  /** A button that takes back what was done. */
  undo?: ReactNode;
}

/** How a form has ended, above its fields. */
export function FormOutcome({ errors, errorTitle, message, undo }: FormOutcomeProps) {
  // How many there were: a key for each.
  const [told, setTold] = useState({ errors, count: 0 });
  if (told.errors !== errors) setTold({ errors, count: told.count + 1 });
  return (
    <>
      <ErrorSummary errors={errors} title={errorTitle} />
      {message ? <Toast key={told.count} message={message} action={undo} /> : null}
    </>
  );
}
