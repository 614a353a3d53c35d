import { ErrorSummary } from './error-summary';
import type { SummaryError } from './error-summary';
import { Notice } from './notice';

interface FormOutcomeProps {
  errors: SummaryError[];
  errorTitle?: string;
  /** What the server said after success. */
  message: string | undefined;
}

/** How a form has ended, above its fields. */
export function FormOutcome({ errors, errorTitle, message }: FormOutcomeProps) {
  return (
    <>
      <ErrorSummary errors={errors} title={errorTitle} />
      {message ? (
        <Notice tone="success" role="status">
          <p>{message}</p>
        </Notice>
      ) : null}
    </>
  );
}
