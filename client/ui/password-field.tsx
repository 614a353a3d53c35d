import { useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '../api/texts';
import { Button } from './button';
import { TextField } from './field';
import { useHydrated } from './use-hydrated';

interface PasswordFieldProps {
  label: string;
  name: string;
  /** What password managers should offer: the stored password or a new one. */
  autoComplete: 'current-password' | 'new-password';
  hint?: ReactNode;
  error?: string | undefined;
  defaultValue?: string;
}

/** A password input, with a button that shows the password if there is JavaScript. */
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
            aria-label={shown ? t`Hide ${label.toLowerCase()}` : t`Show ${label.toLowerCase()}`}
            onClick={() => setShown(!shown)}
          >
            {shown ? t('Hide') : t('Show')}
          </Button>
        ) : null
      }
    />
  );
}

interface NewPasswordFieldsProps {
  label: string;
  /** Returns the props of the inputs `password` and `passwordRepeat`, besides their labels. */
  field: (name: string) => { name: string; error: string | undefined; defaultValue?: string };
}

/** A new password, typed twice. */
export function NewPasswordFields({ label, field }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        hint="At least 10 characters. A few words in a row work well."
        {...field('password')}
      />
      <PasswordField label="Repeat password" autoComplete="new-password" {...field('passwordRepeat')} />
    </>
  );
}

/** Returns errors in a new password that can be found without the server, by input; null if there are none. */
export function repeatError(typed: FormData): Record<string, string> | null {
  return typed.get('password') === typed.get('passwordRepeat')
    ? null
    : { passwordRepeat: t('Passwords do not match') };
}
