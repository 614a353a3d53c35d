import { t } from '../api/texts';
import { TextField } from './field';

interface CodeFieldProps {
  error: string | undefined;
  hint?: string;
  autoFocus?: boolean;
}

/** The code of an authenticator app, or a recovery code. */
export function CodeField({ error, hint, autoFocus = false }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      name="code"
      hint={hint ?? t('The six digits that your authenticator app shows, or one of your recovery codes.')}
      inputMode="text"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={autoFocus}
      required
      error={error}
    />
  );
}
