import type { ReactNode } from 'react';
import { CopyButton } from './office-copy-button';
import { Notice } from './notice';

interface SecretNoticeProps {
  secret: string;
  /** `Copy key` */
  copyLabel: string;
  /** What the secret is, and that it is shown only once. */
  children: ReactNode;
}

/** A secret that is shown once, to be copied. */
export function SecretNotice({ secret, copyLabel, children }: SecretNoticeProps) {
  return (
    <Notice tone="success" role="status">
      <p>{children}</p>
      <p className="secret-text">{secret}</p>
      <CopyButton text={secret}>{copyLabel}</CopyButton>
    </Notice>
  );
}
