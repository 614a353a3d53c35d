import type { ReactNode } from 'react';
import type { ConfirmInquiryProps, InquiryInfo, ProgramPath } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Button, ButtonLink } from '../../ui/button';
import { Notice } from '../../ui/notice';

interface ConfirmInquiryPageProps extends ConfirmInquiryProps {
  program: ProgramPath;
}

/** Target of a mailed link. Confirming takes a button, because mail scanners open links. */
export function ConfirmInquiryPage({ token, inquiry, error, program }: ConfirmInquiryPageProps) {
  if (!inquiry) {
    return (
      <Told heading="This link is no longer valid">
        <p>{error ?? t('Only the newest link works, and only for seven days.')}</p>
        <ButtonLink href={`/${program}/inquire`}>Ask again</ButtonLink>
      </Told>
    );
  }
  if (inquiry.confirmed) return <Confirmed {...inquiry} />;
  return (
    <div className="narrow stack">
      <h1>Is this your email?</h1>
      {error ? (
        <Notice tone="error" role="alert">
          <p>{error}</p>
        </Notice>
      ) : null}
      <p>
        Somebody asked us to write to <strong>{inquiry.email}</strong> about the {inquiry.programName}. If
        that was you, confirm the address.
      </p>
      <form method="post" action="/inquiries/confirm">
        <input type="hidden" name="token" value={token} />
        <div className="form-actions">
          <Button>Confirm</Button>
        </div>
      </form>
      <p className="hint">If it was not you, just close this page. We will not write to you again.</p>
    </div>
  );
}

function Confirmed({ openings, brochure, applyHref, brochureHref }: InquiryInfo) {
  return (
    <Told heading="Your email is confirmed">
      {openings ? <p>We will write to you when applications open for the next intake.</p> : null}
      {brochure ? (
        <p>
          We have sent you the brochure. You can also{' '}
          <a href={brochureHref} data-document>
            open it here
          </a>
          .
        </p>
      ) : null}
      <ButtonLink href={applyHref}>Back to the program</ButtonLink>
    </Told>
  );
}

function Told({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="narrow stack" role="status">
      <h1>{heading}</h1>
      {children}
    </div>
  );
}
