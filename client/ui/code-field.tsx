import { TextField } from './field';

interface CodeFieldProps {
  error: string | undefined;
  hint?: string;
}

/** The code of an authenticator app, or a recovery code. */
export function CodeField({ error, hint }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      name="code"
      hint={hint ?? 'The six digits that your authenticator app shows, or one of your recovery codes.'}
      inputMode="text"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      error={error}
    />
  );
}
