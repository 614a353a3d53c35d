import type { ProblemProps } from '../../api/page.gen';
import { ButtonLink } from '../../ui/button';

/** What cannot be shown, to somebody of the office. */
export function OfficeProblemPage({ heading, text }: ProblemProps) {
  return (
    <div className="narrow stack">
      <h1>{heading}</h1>
      <p>{text}</p>
      <ButtonLink href="/admin-panel">To the office</ButtonLink>
    </div>
  );
}
