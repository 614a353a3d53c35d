import { useState } from 'react';
import { Button } from './button';
import { useHydrated } from './use-hydrated';

/** Copies a text. Requires JavaScript, and is not rendered without it. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const hydrated = useHydrated();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return hydrated && 'clipboard' in navigator ? (
    <Button type="button" variant="secondary" onClick={() => void copy()}>
      {copied ? 'Copied' : children}
    </Button>
  ) : null;
}
