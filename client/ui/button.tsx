import MuiButton from '@mui/material/Button';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';

const variants = { primary: 'contained', secondary: 'outlined', quiet: 'text' } as const;

interface Look {
  variant?: keyof typeof variants;
  /** As high as the surrounding text. */
  size?: 'small';
}

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'color'> {
  /** While the form is being submitted: keeps the focus, tells assistive technology and ignores further clicks. */
  busy?: boolean;
}

export function Button({ variant = 'primary', size, busy = false, onClick, type, ...rest }: ButtonProps) {
  return (
    <MuiButton
      {...rest}
      variant={variants[variant]}
      size={size ?? 'medium'}
      type={type ?? 'submit'}
      // `disabled` would lose the focus in the middle of a submission.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}

interface ButtonLinkProps extends Look, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color'> {
  href: string;
}

/** A link that looks like a button: for navigation, not for actions. */
export function ButtonLink({ variant = 'primary', size, ...rest }: ButtonLinkProps) {
  return <MuiButton {...rest} variant={variants[variant]} size={size ?? 'medium'} />;
}
