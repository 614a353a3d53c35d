// Submits the application. Separate from saving it, which more pages do.

import { resultOf, type Result } from './http';
import { call } from './session';
import { t } from './texts';

interface SubmitRequest {
  applicant: string;
  declaration: boolean;
  /** The revision that the applicant has checked. */
  revision: number;
  /** Idempotency key: a submission that is sent again takes effect once. */
  key: string;
}

export function submitApplication({ applicant, declaration, revision, key }: SubmitRequest): Promise<Result> {
  const headers = { 'If-Match': `"${revision}"`, 'Idempotency-Key': key };
  return resultOf(
    call('POST', '/api/users/application/submit', { as: applicant, body: { declaration }, headers }),
    () => ({}),
    t('We could not submit your application.'),
  );
}
