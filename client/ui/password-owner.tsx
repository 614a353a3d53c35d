/** Tells password managers which account the password belongs to. */
export function PasswordOwner({ email }: { email: string }) {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <input type="email" autoComplete="username" value={email} readOnly tabIndex={-1} />
    </div>
  );
}
