import type { ReactNode } from 'react';
import type { PastApplicationProps } from '../../api/page.gen';
import { t } from '../../api/texts';
import { ButtonLink } from '../../ui/button';
import { Reference } from '../../ui/reference';

/** An application that has ended: its outcome, and what was submitted. */
export function PastApplicationPage({
  info,
  endedText,
  submittedText,
  reference,
  children,
}: PastApplicationProps & { children: ReactNode }) {
  return (
    <div className="check">
      <header>
        <p className="eyebrow">Past application</p>
        <h1>Your application for the {info.name}</h1>
        <p className="hint">
          {endedText}.{' '}
          {submittedText
            ? t`These are your answers as you submitted them on ${submittedText}.`
            : t('It was not submitted: these are your answers as you left them.')}
        </p>
      </header>
      {reference ? <Reference number={reference} /> : null}
      {children}
      <div className="form-actions">
        <ButtonLink href="/dashboard">Go to your dashboard</ButtonLink>
      </div>
    </div>
  );
}
