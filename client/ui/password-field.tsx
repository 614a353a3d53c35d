import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { TextField } from './field';
import { useHydrated } from './use-hydrated';

interface PasswordFieldProps {
  label: string;
  name: string;
  /** What password managers shall offer: the stored one, or a new one. */
  autoComplete: 'current-password' | 'new-password';
  hint?: ReactNode;
  error?: string | undefined;
  defaultValue?: string;
}

/** A password, with a button that shows it where there is JavaScript. */
export function PasswordField({ label, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  return (
    <TextField
      label={label}
      {...input}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      required
      addon={
        hydrated ? (
          <Button
            variant="quiet"
            type="button"
            aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </Button>
        ) : null
      }
    />
  );
}
