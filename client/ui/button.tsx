import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';

type ButtonVariant = 'primary' | 'secondary' | 'quiet';

function look(variant: ButtonVariant, className: string | undefined): string {
  return className ? `button button-${variant} ${className}` : `button button-${variant}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant;
  /** While the form is under way: keeps the focus, says so to assistive technology and ignores further clicks. */
  busy?: boolean;
}

export function Button({
  variant = 'primary',
  busy = false,
  className,
  onClick,
  type,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'submit'}
      className={look(variant, className)}
      // `disabled` would throw the focus away in the middle of a submission.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}

interface ButtonLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  variant?: ButtonVariant;
}

/** A link that looks like a button: for going somewhere, not for doing something. */
export function ButtonLink({ variant = 'primary', className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={look(variant, className)}>
      {children}
    </a>
  );
}
