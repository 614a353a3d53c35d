import { isApple } from './office-offers';

/** Keys whose name differs from their print. */
const printed: Record<string, string> = { ' ': 'Space', ArrowRight: '→', ArrowLeft: '←' };

interface KbdProps {
  /** In the format of a key's `press`. */
  press: string;
  className?: string;
}

/** Keys as printed on a keyboard. Unless combined, they are pressed one after the other. */
export function Kbd({ press, className }: KbdProps) {
  const [first, second] = press === ' ' ? [press] : press.split(' ');
  return (
    <span className={className}>
      <kbd>{first === 'Ctrl' && isApple() ? '⌘' : (printed[first ?? ''] ?? first)}</kbd>
      {second === undefined ? null : (
        <>
          {first === 'Ctrl' ? ' ' : ' then '}
          <kbd>{second}</kbd>
        </>
      )}
    </span>
  );
}
