import { isApple } from './office-offers';

/** Keys that are called otherwise than what is printed on them. */
const printed: Record<string, string> = { ' ': 'Space', ArrowRight: '→', ArrowLeft: '←' };

interface KbdProps {
  /** As the `press` of a key. */
  press: string;
  className?: string;
}

/** Keys as they are printed on a keyboard. Those that are not together are pressed one after the other. */
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
