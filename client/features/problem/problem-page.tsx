import type { ProblemProps, Shared } from '../../api/page.gen';
import { t } from '../../api/texts';
import { ButtonLink } from '../../ui/button';
import { Ornament } from '../../ui/emblem';
import { RequestId } from '../../ui/request-id';

/** What went wrong, in one sentence, and one way forward. */
export function ProblemPage({ heading, text, requestId, shared }: ProblemProps & { shared: Shared }) {
  const home =
    shared.viewer && shared.viewer.applicationStatus !== 'none'
      ? { href: '/dashboard', label: t('Go to your dashboard') }
      : { href: `/${shared.program}/apply`, label: t('Go to the home page') };
  return (
    <div className="page-message">
      <Ornament />
      <h1>{heading}</h1>
      <p className="lead">{text}</p>
      <ButtonLink href={home.href}>{home.label}</ButtonLink>
      <RequestId id={requestId} />
    </div>
  );
}
