import type { ProblemProps } from '../../api/page.gen';
import { ButtonLink } from '../../ui/button';
import { RequestId } from '../../ui/request-id';

/** The error page for staff. */
export function OfficeProblemPage({ heading, text, requestId }: ProblemProps) {
  return (
    <div className="narrow stack">
      <h1>{heading}</h1>
      <p>{text}</p>
      <ButtonLink href="/admin-panel">To the office</ButtonLink>
      <RequestId id={requestId} />
    </div>
  );
}
