import { t } from '../api/texts';
import { TextField } from './field';

interface CodeFieldProps {
  error: string | undefined;
  hint?: string;
  autoFocus?: boolean;
  /** Without an app, only recovery codes are accepted. */
  authenticatorApp?: boolean;
}

/** The code of an authenticator app, or a recovery code. */
export function CodeField({ error, hint, autoFocus = false, authenticatorApp = true }: CodeFieldProps) {
  const usual = authenticatorApp
    ? t('The six digits that your authenticator app shows, or one of your recovery codes.')
    : t('One of the recovery codes that you saved.');
  return (
    <TextField
      label={authenticatorApp ? t('Code') : t('Recovery code')}
      name="code"
      hint={hint ?? usual}
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
