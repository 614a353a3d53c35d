import { useState, type ReactNode } from 'react';
import { Button } from './button';
import { Notice } from './notice';
import { useHydrated } from './use-hydrated';

interface SecretNoticeProps {
  secret: string;
  /** `Copy key` */
  copyLabel: string;
  /** What the secret is, and that it is shown only once. */
  children: ReactNode;
}

/** A secret that is shown once, to be copied. */
export function SecretNotice({ secret, copyLabel, children }: SecretNoticeProps) {
  const hydrated = useHydrated();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <Notice tone="success" role="status">
      <p>{children}</p>
      <p className="secret-text">{secret}</p>
      {hydrated && 'clipboard' in navigator ? (
        <Button type="button" variant="secondary" onClick={() => void copy()}>
          {copied ? 'Copied' : copyLabel}
        </Button>
      ) : null}
    </Notice>
  );
}
